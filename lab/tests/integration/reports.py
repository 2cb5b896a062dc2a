# SPDX-License-Identifier: Apache-2.0
"""Heat reports as they travel, written here a second time so that the plugin is not its own measure."""

import base64
import math
import struct
from collections.abc import Sequence
from uuid import UUID

from cassandra.cluster import Session
from gossip_states import HEAT, publish

from isotherm_lab.cluster.node import Node

MISS_RATIO = 1
READ_TIME = 2
#: The step of no reads, and the last one, 3e8 reads a second.
NO_READS = 1
MOST_READS = 255
_MARK = "isotherm:"
_STEP = math.log(1e4) / 254


def code_of(miss_ratio: float) -> int:
    """Return the step of the logarithmic grid nearest to a miss ratio from 1e-4 to 1."""
    return 255 + round(math.log(miss_ratio) / _STEP)


def ratio_of(code: int) -> float:
    """Return the miss ratio of a step: 0 for step 0, and 1e-4 to 1 for 1 to 255."""
    return math.exp(-_STEP * (255 - code)) if code else 0.0


def encoded(entries: Sequence[tuple[UUID, int, int]], version: int = 1, count: int | None = None) -> bytes:
    """Return the wire form of (table, kind, step); version and count can be made to lie."""
    body = b"".join(table.bytes + struct.pack("BB", kind, code) for table, kind, code in entries)
    return struct.pack("BB", version, len(entries) if count is None else count) + body


def encoded_with_rates(entries: Sequence[tuple[UUID, int, int, int]]) -> bytes:
    """Return the wire form of (table, kind, step, step of the rate of coordinated reads), which is 0 if unknown."""
    body = b"".join(table.bytes + bytes(steps) for table, *steps in entries)
    return struct.pack("BB", 2, len(entries)) + body


def as_gossip(report: bytes) -> str:
    """Return the text that goes into gossip."""
    return _MARK + base64.b64encode(report).decode()


def gossip(node: Node, text: str) -> None:
    """Have a node publish this text in the padding state where reports travel."""
    publish(node, HEAT, text)


def inject(node: Node, misses: dict[UUID, int]) -> None:
    """Have a node say, by gossip, how often it misses: a step of the grid for each table."""
    gossip(node, as_gossip(encoded([(table, MISS_RATIO, code) for table, code in misses.items()])))


def inject_beside_busy(node: Node, misses: dict[UUID, int], busy: UUID) -> None:
    """Inject misses, and that the node coordinates more reads of a table without misses than any disk bears."""
    entries = [(table, MISS_RATIO, code, 0) for table, code in misses.items()]
    gossip(node, as_gossip(encoded_with_rates([*entries, (busy, MISS_RATIO, 0, MOST_READS)])))


def inject_beside_idle(node: Node, table: UUID, miss: int, reads_per_s: float, idle: UUID) -> None:
    """Inject the misses of a table, the rate at which its reads are coordinated, and that of another none are."""
    rate = 2 + round(8 * math.log2(10 * reads_per_s))
    entries = [(table, MISS_RATIO, miss, rate), (idle, MISS_RATIO, 0, NO_READS)]
    gossip(node, as_gossip(encoded_with_rates(entries)))


def table_id(session: Session, table: str, keyspace: str = "lab") -> UUID:
    """Return the id by which reports name a table."""
    query = "SELECT id FROM system_schema.tables WHERE keyspace_name = %s AND table_name = %s"
    return session.execute(query, (keyspace, table)).one().id
