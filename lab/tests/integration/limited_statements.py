# SPDX-License-Identifier: Apache-2.0
"""Every kind of statement that reads or writes partitions, and as how many operations it counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cassandra.query import BatchType
from partition_limits import Asked

ROWS = 25


@dataclass(frozen=True)
class Kind:
    """A kind of statement on partitions a and b of the tables {rows} and {hits}."""

    name: str
    #: The table it is about.
    table: str
    run: Callable[[Asked, Callable[[str], str]], object]
    reads: int = 0
    writes: int = 0
    #: Cassandra refuses it at other levels.
    levels: Sequence[str] = ("ONE", "QUORUM", "ALL")

    @property
    def operation(self) -> str:
        return "reads" if self.reads else "writes"


INSERT = "INSERT INTO {rows} (key, part, value) VALUES ({a}, 1, 1)"
INSERT_B = "INSERT INTO {rows} (key, part, value) VALUES ({b}, 1, 1)"
UPDATE = "UPDATE {rows} SET value = 2 WHERE key = {a} AND part = 2"
HIT = "UPDATE {hits} SET hits = hits + 1 WHERE key = {a}"
HIT_B = "UPDATE {hits} SET hits = hits + 1 WHERE key = {b}"
IF_NOT_EXISTS = "INSERT INTO {rows} (key, part, value) VALUES ({a}, 900, 1) IF NOT EXISTS"
IF_VALUE = "UPDATE {rows} SET value = 3 WHERE key = {a} AND part = 901 IF value = 2"


def text(query: str, **options) -> Callable:
    return lambda asked, fill: list(asked.text(fill(query), **options) or ())


def prepared(query: str) -> Callable:
    return lambda asked, fill: list(asked.prepared(fill(query)) or ())


def batch(kind: BatchType, *queries: str) -> Callable:
    return lambda asked, fill: asked.batch(kind, *map(fill, queries))


def textual(kind: str, *queries: str) -> Callable:
    return text(f"BEGIN {kind} BATCH {'; '.join(queries)}; APPLY BATCH")


READS = [
    Kind("select", "rows", text("SELECT * FROM {rows} WHERE key = {a}"), reads=1),
    Kind("select prepared", "rows", prepared("SELECT * FROM {rows} WHERE key = {a} AND part = 3"), reads=1),
    Kind("select a slice", "rows", text("SELECT * FROM {rows} WHERE key = {a} AND part > 3 LIMIT 2"), reads=1),
    Kind("select an aggregate", "rows", text("SELECT count(*) FROM {rows} WHERE key = {a}"), reads=1),
    Kind("select filtering in a partition", "rows",
         text("SELECT * FROM {rows} WHERE key = {a} AND value = 7 ALLOW FILTERING"), reads=1),
    Kind("select several", "rows", text("SELECT * FROM {rows} WHERE key IN ({a}, {b}, {a})"), reads=2),
    Kind("select several prepared", "rows", prepared("SELECT * FROM {rows} WHERE key IN ({a}, {b})"), reads=2),
    Kind("select three pages", "rows", text("SELECT * FROM {rows} WHERE key = {a}", fetch_size=10), reads=3),
    Kind("select serial", "rows", text("SELECT * FROM {rows} WHERE key = {a}"), reads=1,
         levels=("SERIAL", "LOCAL_SERIAL")),
    Kind("select a counter", "hits", text("SELECT * FROM {hits} WHERE key = {a}"), reads=1),
]  # fmt: skip

WRITES = [
    Kind("insert", "rows", text(INSERT), writes=1),
    Kind("insert prepared", "rows", prepared(INSERT), writes=1),
    Kind("insert json", "rows", text("""INSERT INTO {rows} JSON '{{"key": {a}, "part": 1, "value": 1}}'"""), writes=1),
    Kind("update", "rows", text(UPDATE), writes=1),
    Kind("update several", "rows", text("UPDATE {rows} SET value = 1 WHERE key IN ({a}, {b}) AND part = 1"), writes=2),
    Kind("delete a row", "rows", text("DELETE FROM {rows} WHERE key = {a} AND part = 700"), writes=1),
    Kind("delete a slice", "rows", prepared("DELETE FROM {rows} WHERE key = {a} AND part > 700"), writes=1),
    Kind("delete several", "rows", text("DELETE FROM {rows} WHERE key IN ({a}, {b}) AND part = 700"), writes=2),
    Kind("count", "hits", text(HIT), writes=1),
    Kind("count prepared", "hits", prepared(HIT), writes=1),
]

BATCHES = [
    Kind("logged, one partition", "rows", batch(BatchType.LOGGED, INSERT, UPDATE), writes=1),
    Kind("logged, two partitions", "rows", batch(BatchType.LOGGED, INSERT, INSERT_B, UPDATE), writes=2),
    Kind("logged, one statement", "rows", batch(BatchType.LOGGED, INSERT), writes=1),
    Kind("logged, one statement of two partitions", "rows",
         batch(BatchType.LOGGED, "DELETE FROM {rows} WHERE key IN ({a}, {b}) AND part = 700"), writes=2),
    Kind("unlogged, one partition", "rows", batch(BatchType.UNLOGGED, INSERT, UPDATE), writes=1),
    Kind("unlogged, two partitions", "rows", batch(BatchType.UNLOGGED, INSERT, INSERT_B, UPDATE), writes=2),
    Kind("textual, one partition", "rows", textual("", INSERT, UPDATE), writes=1),
    Kind("textual, two partitions", "rows", textual("", INSERT, INSERT_B), writes=2),
    Kind("textual unlogged, one partition", "rows", textual("UNLOGGED", INSERT, UPDATE), writes=1),
    Kind("textual unlogged, two partitions", "rows", textual("UNLOGGED", INSERT, INSERT_B), writes=2),
    Kind("counters, one partition", "hits", batch(BatchType.COUNTER, HIT, HIT), writes=1),
    Kind("counters, two partitions", "hits", batch(BatchType.COUNTER, HIT, HIT_B), writes=2),
    Kind("textual counters, two partitions", "hits", textual("COUNTER", HIT, HIT_B), writes=2),
]  # fmt: skip

CONDITIONAL = [
    Kind("insert if not exists", "rows", text(IF_NOT_EXISTS), writes=1),
    Kind("insert if not exists prepared", "rows", prepared(IF_NOT_EXISTS), writes=1),
    Kind("update if", "rows", text(IF_VALUE), writes=1),
    Kind("delete if exists", "rows", text("DELETE FROM {rows} WHERE key = {a} AND part = 900 IF EXISTS"), writes=1),
    Kind("conditional batch", "rows", batch(BatchType.LOGGED, IF_NOT_EXISTS, UPDATE), writes=1),
    Kind("conditional unlogged batch", "rows", batch(BatchType.UNLOGGED, IF_NOT_EXISTS, IF_VALUE), writes=1),
    Kind("textual conditional batch", "rows", textual("", IF_NOT_EXISTS, IF_VALUE), writes=1),
]

ANY = [
    Kind("insert at any", "rows", prepared(INSERT), writes=1, levels=("ANY",)),
    Kind("unlogged at any", "rows", batch(BatchType.UNLOGGED, INSERT, INSERT_B), writes=2, levels=("ANY",)),
    Kind("logged at any", "rows", batch(BatchType.LOGGED, INSERT, INSERT_B), writes=2, levels=("ANY",)),
]

COUNTED = [*READS, *WRITES, *BATCHES, *CONDITIONAL, *ANY]

#: They name no partition, so no partition's limit is theirs.
UNCOUNTED = [
    "SELECT * FROM {rows}",
    "SELECT count(*) FROM {rows}",
    "SELECT * FROM {rows} WHERE token(key) > 0",
    "SELECT * FROM {rows} WHERE token(key) = token({a})",
    "SELECT * FROM {rows} WHERE part = 3 ALLOW FILTERING",
    "SELECT DISTINCT key FROM {rows}",
    "SELECT * FROM {hits}",
]
