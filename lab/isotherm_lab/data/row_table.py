# SPDX-License-Identifier: Apache-2.0
"""The table the experiments read: one row per partition, on the slow disk."""

from dataclasses import dataclass

import numpy as np
from cassandra.cluster import Session
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.query import PreparedStatement

KEYSPACE = "lab"
TABLE = "rows"
_CONCURRENCY = 48


@dataclass(frozen=True)
class RowDataset:
    """Size of the data and the disk under it; values are random bytes, so compression does not shrink them."""

    keys: int
    value_bytes: int
    service_us: int
    parallel: int
    row_cache: bool
    #: Large against a row, so that few rows lie across two chunks and a miss is one read of the disk.
    chunk_kib: int = 64


def create(session: Session, data: RowDataset, replication: int) -> None:
    """Create the keyspace and the table. No compaction: it would read the disk and change the caches' content."""
    rows = "ALL" if data.row_cache else "NONE"
    session.execute(
        f"CREATE KEYSPACE {KEYSPACE} WITH replication ="
        f" {{'class': 'NetworkTopologyStrategy', 'dc1': {replication}}} AND durable_writes = true"
    )
    session.execute(
        f"CREATE TABLE {KEYSPACE}.{TABLE} (key bigint PRIMARY KEY, value blob)"
        f" WITH caching = {{'keys': 'ALL', 'rows_per_partition': '{rows}'}}"
        " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}"
        " AND compression = {'class': 'SlowDiskCompressor', 'chunk_length_in_kb': '%d',"
        " 'service_us': '%d', 'parallel': '%d'}" % (data.chunk_kib, data.service_us, data.parallel)
    )


def fill(session: Session, data: RowDataset, seed: int) -> None:
    """Write every row; the session's consistency level should be ALL, so that no replica misses one."""
    insert = session.prepare(f"INSERT INTO {KEYSPACE}.{TABLE} (key, value) VALUES (?, ?)")
    source = np.random.default_rng(seed)
    rows = ((key, source.bytes(data.value_bytes)) for key in range(data.keys))
    execute_concurrent_with_args(session, insert, rows, concurrency=_CONCURRENCY)


def select(session: Session) -> PreparedStatement:
    """Return the prepared read of one row; idempotent, so the driver may try another coordinator."""
    statement = session.prepare(f"SELECT value FROM {KEYSPACE}.{TABLE} WHERE key = ?")
    statement.is_idempotent = True
    return statement


def read(session: Session, keys: np.ndarray) -> None:
    """Read these rows as fast as the cluster answers; the first failure is raised."""
    statement = select(session)
    execute_concurrent_with_args(session, statement, ((int(key),) for key in keys), concurrency=_CONCURRENCY)
