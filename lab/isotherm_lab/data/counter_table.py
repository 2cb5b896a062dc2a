# SPDX-License-Identifier: Apache-2.0
"""A table of counters on the slow disk, whose leaders read it at each update."""

from dataclasses import dataclass

from cassandra.cluster import Session
from cassandra.query import PreparedStatement

from isotherm_lab.data.slow_table import KEYSPACE, create_keyspace, create_table, execute_all

TABLE = f"{KEYSPACE}.counters"
UPDATE = f"UPDATE {TABLE} SET value = value + 1 WHERE key = ?"

#: What the nodes need so that each update of a leader is one read of its disk: Cassandra caches counters, and chunks.
NO_CACHES = {"counter_cache_size": "0MiB", "file_cache_enabled": False}


@dataclass(frozen=True)
class CounterDataset:
    """Size of the table and the disk under it."""

    #: So many that two updates in flight seldom wait for the lock of one counter.
    keys: int
    service_us: int
    parallel: int
    #: Large against a counter, so that few lie across two chunks and an update is one read of the disk.
    chunk_kib: int = 64


def create(session: Session, data: CounterDataset, replication: int) -> None:
    """Create the keyspace and the table."""
    create_keyspace(session, replication)
    create_table(session, TABLE, "key bigint PRIMARY KEY, value counter", data)


def update(session: Session) -> PreparedStatement:
    """Return the prepared update that adds one to a counter; not idempotent, so the driver does not guess."""
    return session.prepare(UPDATE)


def fill(session: Session, data: CounterDataset) -> None:
    """Add one to every counter; the session's consistency level should be ALL."""
    execute_all(session, update(session), ((key,) for key in range(data.keys)))


def total(session: Session, data: CounterDataset) -> int:
    """Return the sum of all counters; the session's consistency level should be ALL, so that no replica is left out."""
    select = session.prepare(f"SELECT value FROM {TABLE} WHERE key = ?")
    return sum(rows.one().value for rows in execute_all(session, select, ((key,) for key in range(data.keys))))
