# SPDX-License-Identifier: Apache-2.0
"""What the stub's nodes answer: the handshake, the system tables of a cluster, and one row to every prepared statement.

Their views say what nodes with the plugin publish: of node n, counted from 1, a queue of 10 n and n tenths of hits.

Everything is encoded for protocol version 4 of CQL, as its specification (`native_protocol_v4.spec`) has it.
"""

import random
import struct
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address

KEYSPACE, TABLE = "shop", "orders"
SELECT = f"SELECT id, note FROM {KEYSPACE}.{TABLE} WHERE id = ?"
NOTE = "n" * 100
VNODES, FACTOR = 256, 3
RELEASE = "5.0.9"
SCHEMA_VERSION = uuid.UUID(int=7)
SETTINGS = {"heat.miss_floor": "0.2", "heat.warm_read": "2ms"}

# Opcodes.
ERROR, STARTUP, READY, OPTIONS, SUPPORTED, QUERY, RESULT, PREPARE, EXECUTE, REGISTER = 0, 1, 2, 5, 6, 7, 8, 9, 10, 11
# Types.
BIGINT, BOOLEAN, DOUBLE, INT, UUID, VARCHAR, INET = (struct.pack(">H", code) for code in (2, 4, 7, 9, 12, 13, 16))
SET_OF_TEXT, MAP_OF_TEXT = b"\0\x22" + VARCHAR, b"\0\x21" + VARCHAR + VARCHAR
ROWS, PREPARED = 2, 4
GLOBAL_TABLE, NO_METADATA = 1, 4


@dataclass(frozen=True)
class Node:
    """A node of the stub's cluster."""

    address: str
    datacenter: str
    rack: str
    host_id: uuid.UUID
    tokens: tuple[str, ...]


def nodes_of(count: int, first_address: str) -> list[Node]:
    """The nodes of a cluster: 45 are 5 datacenters of 3 racks of 3 nodes; fewer are one datacenter, a rack each."""
    source, first = random.Random(7), int(IPv4Address(first_address))
    return [
        Node(
            str(IPv4Address(first + number)),
            f"dc{number // 9 + 1}",
            f"rack{number % 9 // 3 + 1 if count > 3 else number + 1}",
            uuid.UUID(int=number + 1),
            tuple(str(source.getrandbits(64) - 2**63) for _ in range(VNODES)),
        )
        for number in range(count)
    ]


def _text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack(">H", len(encoded)) + encoded


def _value(value: bytes | None) -> bytes:
    return struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value


def _collection(values: Iterable[str]) -> bytes:
    encoded = [_value(value.encode()) for value in values]
    return struct.pack(">i", len(encoded)) + b"".join(encoded)


def _columns(keyspace: str, table: str, columns: dict[str, bytes]) -> bytes:
    return _text(keyspace) + _text(table) + b"".join(_text(name) + kind for name, kind in columns.items())


def _rows(table: str, columns: dict[str, bytes], rows: list[list[bytes | None]]) -> bytes:
    head = struct.pack(">iii", ROWS, GLOBAL_TABLE, len(columns)) + _columns("system", table, columns)
    return head + struct.pack(">i", len(rows)) + b"".join(_value(value) for row in rows for value in row)


_OF_A_NODE = {
    "data_center": VARCHAR, "rack": VARCHAR, "host_id": UUID, "release_version": VARCHAR, "schema_version": UUID,
    "rpc_address": INET, "tokens": SET_OF_TEXT,
}  # fmt: skip


def _of_a_node(node: Node) -> list[bytes]:
    return [
        node.datacenter.encode(), node.rack.encode(), node.host_id.bytes, RELEASE.encode(), SCHEMA_VERSION.bytes,
        IPv4Address(node.address).packed, _collection(node.tokens),
    ]  # fmt: skip


def _local(node: Node) -> bytes:
    columns = {
        "key": VARCHAR, "cluster_name": VARCHAR, "partitioner": VARCHAR, "broadcast_address": INET,
        "listen_address": INET,
    }  # fmt: skip
    address = IPv4Address(node.address).packed
    own = [b"local", b"stub", b"org.apache.cassandra.dht.Murmur3Partitioner", address, address]
    return _rows("local", columns | _OF_A_NODE, [own + _of_a_node(node)])


def _peers(others: list[Node]) -> bytes:
    rows = [[IPv4Address(node.address).packed, *_of_a_node(node)] for node in others]
    return _rows("peers", {"peer": INET} | _OF_A_NODE, rows)


def _keyspaces(nodes: list[Node]) -> bytes:
    replication = {"class": "org.apache.cassandra.locator.NetworkTopologyStrategy"}
    for datacenter in {node.datacenter for node in nodes}:
        replication[datacenter] = str(min(FACTOR, sum(node.datacenter == datacenter for node in nodes)))
    pairs = b"".join(_value(text.encode()) for pair in replication.items() for text in pair)
    columns = {"keyspace_name": VARCHAR, "durable_writes": BOOLEAN, "replication": MAP_OF_TEXT}
    return _rows("keyspaces", columns, [[KEYSPACE.encode(), b"\1", struct.pack(">i", len(replication)) + pairs]])


def _queues(nodes: list[Node]) -> bytes:
    depths = [[IPv4Address(node.address).packed, struct.pack(">i", 10 * n)] for n, node in enumerate(nodes, start=1)]
    return _rows("queues", {"address": INET, "estimate": INT}, depths)


def _heat(nodes: list[Node]) -> bytes:
    columns = {"keyspace_name": VARCHAR, "table_name": VARCHAR, "replica": INET, "source": VARCHAR}
    heats = [
        [KEYSPACE.encode(), TABLE.encode(), IPv4Address(node.address).packed, b"cache", struct.pack(">d", n / 10)]
        for n, node in enumerate(nodes, start=1)
    ]
    columns |= {"hit_ratio": DOUBLE, "read_time_us": DOUBLE, "cost_us": DOUBLE}
    return _rows("heat", columns, [[*heat, None, None] for heat in heats])


def _settings() -> bytes:
    settings = [[name.encode(), value.encode()] for name, value in SETTINGS.items()]
    return _rows("settings", {"name": VARCHAR, "value": VARCHAR}, settings)


def _prepared() -> bytes:
    key, row = {"id": BIGINT}, {"id": BIGINT, "note": VARCHAR}
    head = struct.pack(">i", PREPARED) + struct.pack(">H", 16) + b"0123456789abcdef"
    asked = struct.pack(">iiiH", GLOBAL_TABLE, len(key), 1, 0) + _columns(KEYSPACE, TABLE, key)
    return head + asked + struct.pack(">ii", GLOBAL_TABLE, len(row)) + _columns(KEYSPACE, TABLE, row)


def _one_row() -> bytes:
    """The driver has the columns from the prepared statement, so that the answer has none."""
    return struct.pack(">iiii", ROWS, NO_METADATA, 2, 1) + _value(struct.pack(">q", 1)) + _value(NOTE.encode())


def table_of(nodes: list[Node]) -> bytes:
    """The stub's table, for all nodes of a cluster."""
    supported = {"CQL_VERSION": ["3.4.7"], "COMPRESSION": []}
    options = struct.pack(">H", len(supported)) + b"".join(
        _text(name) + struct.pack(">H", len(values)) + b"".join(_text(value) for value in values)
        for name, values in supported.items()
    )
    none = _rows("none", {"keyspace_name": VARCHAR}, [])
    table = b""
    for node in nodes:
        peers = _peers([other for other in nodes if other is not node])
        answers = [
            (EXECUTE, "", RESULT, _one_row()),
            (OPTIONS, "", SUPPORTED, options),
            (STARTUP, "", READY, b""),
            (REGISTER, "", READY, b""),
            (PREPARE, "", RESULT, _prepared()),
            (QUERY, "FROM system.local", RESULT, _local(node)),
            (QUERY, "FROM system.peers_v2", ERROR, struct.pack(">i", 0x2200) + _text("unconfigured table peers_v2")),
            (QUERY, "FROM system.peers", RESULT, peers),
            (QUERY, "FROM system_schema.keyspaces", RESULT, _keyspaces(nodes)),
            (QUERY, "FROM isotherm.queues", RESULT, _queues(nodes)),
            (QUERY, "FROM isotherm.heat", RESULT, _heat(nodes)),
            (QUERY, "FROM isotherm.settings", RESULT, _settings()),
            (QUERY, "system_schema.", RESULT, none),
            (QUERY, "system_virtual_schema.", RESULT, none),
        ]
        table += struct.pack("<I", len(answers))
        for request, needle, opcode, body in answers:
            table += struct.pack("<BH", request, len(needle)) + needle.encode()
            table += struct.pack("<BI", opcode, len(body)) + body
    return table
