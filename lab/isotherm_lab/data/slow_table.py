# SPDX-License-Identifier: Apache-2.0
"""What the tables of all experiments have in common: the keyspace, and the slow disk under most of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from cassandra.cluster import ResultSet, Session
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.query import PreparedStatement

from isotherm_lab.cluster.configuration import DATACENTER

KEYSPACE = "lab"
_CONCURRENCY = 48


class Disk(Protocol):
    """The disk under a table: it serves `parallel` reads of chunks of `chunk_kib` at a time in `service_us` each."""

    service_us: int
    parallel: int
    chunk_kib: int


def create_keyspace(session: Session, replication: int | Mapping[str, int]) -> None:
    """Create the keyspace of the experiments with so many replicas, or so many in each datacenter."""
    replicas = {DATACENTER: replication} if isinstance(replication, int) else replication
    listed = "".join(f", '{datacenter}': {count}" for datacenter, count in replicas.items())
    session.execute(
        f"CREATE KEYSPACE {KEYSPACE} WITH replication ="
        f" {{'class': 'NetworkTopologyStrategy'{listed}}} AND durable_writes = true"
    )


def create_table(session: Session, table: str, columns: str, disk: Disk | None, options: str = "") -> None:
    """Create a table on such a disk, or without one as Cassandra makes it.

    No compaction: it would read the disk, and change what lies where.
    """
    compression = disk and (
        f"compression = {{'class': 'SlowDiskCompressor', 'chunk_length_in_kb': '{disk.chunk_kib}',"
        f" 'service_us': '{disk.service_us}', 'parallel': '{disk.parallel}'}}"
    )
    compaction = "compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}"
    chosen = " AND ".join(filter(None, (compaction, compression, options)))
    session.execute(f"CREATE TABLE {table} ({columns}) WITH {chosen}")


def execute_all(session: Session, statement: PreparedStatement, arguments: Iterable[Sequence]) -> list[ResultSet]:
    """Execute the statement for each tuple of arguments, many at a time; the first failure is raised."""
    done = execute_concurrent_with_args(session, statement, arguments, concurrency=_CONCURRENCY)
    return [result for _, result in done]
