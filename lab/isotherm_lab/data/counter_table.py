# SPDX-License-Identifier: Apache-2.0
"""A table of counters on the slow disk, whose leaders read it at each update."""

from dataclasses import dataclass

from cassandra.cluster import Session
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.query import PreparedStatement

from isotherm_lab.data.row_table import KEYSPACE

TABLE = f"{KEYSPACE}.counters"
UPDATE = f"UPDATE {TABLE} SET value = value + 1 WHERE key = ?"
_CONCURRENCY = 48

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
    """Create the keyspace and the table. No compaction: it would change in how many SSTables a counter lies."""
    session.execute(
        f"CREATE KEYSPACE {KEYSPACE} WITH replication ="
        f" {{'class': 'NetworkTopologyStrategy', 'dc1': {replication}}} AND durable_writes = true"
    )
    session.execute(
        f"CREATE TABLE {TABLE} (key bigint PRIMARY KEY, value counter)"
        " WITH compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}"
        " AND compression = {'class': 'SlowDiskCompressor', 'chunk_length_in_kb': '%d',"
        " 'service_us': '%d', 'parallel': '%d'}" % (data.chunk_kib, data.service_us, data.parallel)
    )


def update(session: Session) -> PreparedStatement:
    """Return the prepared update that adds one to a counter; not idempotent, so the driver does not guess."""
    return session.prepare(UPDATE)


def fill(session: Session, data: CounterDataset) -> None:
    """Add one to every counter; the session's consistency level should be ALL."""
    execute_concurrent_with_args(
        session, update(session), ((key,) for key in range(data.keys)), concurrency=_CONCURRENCY
    )


def total(session: Session, data: CounterDataset) -> int:
    """Return the sum of all counters; the session's consistency level should be ALL, so that no replica is left out."""
    select = session.prepare(f"SELECT value FROM {TABLE} WHERE key = ?")
    read = execute_concurrent_with_args(session, select, ((key,) for key in range(data.keys)), concurrency=_CONCURRENCY)
    return sum(rows.one().value for _, rows in read)
