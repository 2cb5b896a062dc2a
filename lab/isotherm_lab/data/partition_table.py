# SPDX-License-Identifier: Apache-2.0
"""A table of small partitions and some large ones, which hot clients read; all lie on the slow disk."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from cassandra.cluster import Session

from isotherm_lab.data.slow_table import KEYSPACE, create_keyspace, create_table, execute_all

TABLE = f"{KEYSPACE}.partitions"
#: The table that is written to.
WRITTEN = f"{KEYSPACE}.written_partitions"
#: What a node's cassandra.yaml must have for it.
SLOW_WRITES = {"memtable": {"configurations": {"slow_writes": {"class_name": "dev.isotherm.lab.SlowWrites"}}}}


@dataclass(frozen=True)
class PartitionDataset:
    """Size of the data and the disk under it; values are random bytes, so compression does not shrink them."""

    #: Keys from 0 to keys - 1 have one row each; the hot partition, of the next key, has hot_rows.
    keys: int
    hot_rows: int
    value_bytes: int
    service_us: int
    parallel: int
    chunk_kib: int
    #: Rows of further large partitions, of the keys after the hot one.
    further_rows: tuple[int, ...] = ()

    @property
    def hot_key(self) -> int:
        """The key of the large partition, of the first if there are several."""
        return self.keys


def create(
    session: Session,
    data: PartitionDataset,
    replication: int,
    tables: tuple[str, ...] = (TABLE,),
    options: str = "",
) -> None:
    """Create the keyspace and the tables, with these options; they use no row cache."""
    create_keyspace(session, replication)
    for table in tables:
        create_table(session, table, "key bigint, place int, value blob, PRIMARY KEY (key, place)", data, options)


def fill(session: Session, data: PartitionDataset, seed: int, table: str = TABLE) -> None:
    """Write every row; the session's consistency level should be ALL, so that no replica misses one."""
    insert = session.prepare(f"INSERT INTO {table} (key, place, value) VALUES (?, ?, ?)")
    source = np.random.default_rng(seed)
    execute_all(session, insert, ((key, place, source.bytes(data.value_bytes)) for key, place in _places(data)))


def create_slow_writes(session: Session) -> None:
    """Create the table whose writes hold their thread, on nodes that have `SLOW_WRITES`."""
    columns = "key bigint, place int, value blob, PRIMARY KEY (key, place)"
    create_table(session, WRITTEN, columns, None, "memtable = 'slow_writes'")


def insert(table: str = WRITTEN) -> str:
    """Return the statement that writes the one row of a partition."""
    return f"INSERT INTO {table} (key, place, value) VALUES (?, 0, 0x{'5a' * 100})"


def select(table: str = TABLE) -> str:
    """Return the query for all rows of one partition."""
    return f"SELECT value FROM {table} WHERE key = ?"


def limit_reads(table: str, per_s: int) -> str:
    """Return the statement that limits the reads of each partition."""
    return f"ALTER TABLE {table} WITH per_partition_rate_limit = {{'max_reads_per_second': {per_s}}}"


def unlimited(table: str) -> str:
    """Return the statement that takes a table's limit away."""
    return f"ALTER TABLE {table} WITH per_partition_rate_limit = {{}}"


def _places(data: PartitionDataset) -> Iterator[tuple[int, int]]:
    yield from ((key, 0) for key in range(data.keys))
    for key, rows in enumerate((data.hot_rows, *data.further_rows), data.hot_key):
        yield from ((key, place) for place in range(rows))
