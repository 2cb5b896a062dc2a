# SPDX-License-Identifier: Apache-2.0
"""A table of one row per partition, on the slow disk or, without one, as Cassandra makes it."""

from dataclasses import dataclass

import numpy as np
from cassandra.cluster import Session
from cassandra.query import PreparedStatement

from isotherm_lab.data.slow_table import KEYSPACE, create_keyspace, create_table, execute_all

TABLE = f"{KEYSPACE}.rows"


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
    #: Without it the three before do not matter: the table is Cassandra's default, on whatever disk there is.
    slow_disk: bool = True


def default_table(keys: int, value_bytes: int) -> RowDataset:
    """Return the data of a table as Cassandra makes it, without slow disk and row cache."""
    return RowDataset(keys, value_bytes, service_us=0, parallel=0, row_cache=False, slow_disk=False)


def create(session: Session, data: RowDataset, replication: int) -> None:
    """Create the keyspace and the table."""
    create_keyspace(session, replication)
    add(session, data, TABLE)


def add(session: Session, data: RowDataset, table: str) -> None:
    """Create a table in the keyspace that is there."""
    cached = "ALL" if data.row_cache else "NONE"
    caching = f"caching = {{'keys': 'ALL', 'rows_per_partition': '{cached}'}}"
    create_table(session, table, "key bigint PRIMARY KEY, value blob", data if data.slow_disk else None, caching)


def fill(session: Session, data: RowDataset, seed: int, table: str = TABLE) -> None:
    """Write every row; the session's consistency level should be ALL, so that no replica misses one."""
    insert = session.prepare(f"INSERT INTO {table} (key, value) VALUES (?, ?)")
    source = np.random.default_rng(seed)
    execute_all(session, insert, ((key, source.bytes(data.value_bytes)) for key in range(data.keys)))


def select_from(table: str) -> str:
    """Return the read of one row, by its key."""
    return f"SELECT value FROM {table} WHERE key = ?"


def select(session: Session) -> PreparedStatement:
    """Return the prepared read of one row; idempotent, so the driver may try another coordinator."""
    statement = session.prepare(select_from(TABLE))
    statement.is_idempotent = True
    return statement


def read(session: Session, keys: np.ndarray) -> None:
    """Read these rows as fast as the cluster answers; the first failure is raised."""
    execute_all(session, select(session), ((int(key),) for key in keys))
