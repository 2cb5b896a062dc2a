# SPDX-License-Identifier: Apache-2.0
"""A table of small partitions and a large one, which a hot client reads; all lie on the slow disk."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from cassandra.cluster import Session
from cassandra.concurrent import execute_concurrent_with_args

from isotherm_lab.data.row_table import KEYSPACE

TABLE = f"{KEYSPACE}.partitions"
_CONCURRENCY = 48


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

    @property
    def hot_key(self) -> int:
        """The key of the large partition."""
        return self.keys


def create(session: Session, data: PartitionDataset, replication: int, tables: tuple[str, ...] = (TABLE,)) -> None:
    """Create the keyspace and the tables. No row cache, and no compaction: it would read the disk."""
    session.execute(
        f"CREATE KEYSPACE {KEYSPACE} WITH replication ="
        f" {{'class': 'NetworkTopologyStrategy', 'dc1': {replication}}} AND durable_writes = true"
    )
    for table in tables:
        session.execute(
            f"CREATE TABLE {table} (key bigint, place int, value blob, PRIMARY KEY (key, place))"
            " WITH compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}"
            " AND compression = {'class': 'SlowDiskCompressor', 'chunk_length_in_kb': '%d',"
            " 'service_us': '%d', 'parallel': '%d'}" % (data.chunk_kib, data.service_us, data.parallel)
        )


def fill(session: Session, data: PartitionDataset, seed: int, table: str = TABLE) -> None:
    """Write every row; the session's consistency level should be ALL, so that no replica misses one."""
    insert = session.prepare(f"INSERT INTO {table} (key, place, value) VALUES (?, ?, ?)")
    source = np.random.default_rng(seed)
    rows = ((key, place, source.bytes(data.value_bytes)) for key, place in _places(data))
    execute_concurrent_with_args(session, insert, rows, concurrency=_CONCURRENCY)


def select(table: str = TABLE) -> str:
    """Return the query for all rows of one partition."""
    return f"SELECT value FROM {table} WHERE key = ?"


def _places(data: PartitionDataset) -> Iterator[tuple[int, int]]:
    yield from ((key, 0) for key in range(data.keys))
    yield from ((data.hot_key, place) for place in range(data.hot_rows))
