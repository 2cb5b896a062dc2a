# SPDX-License-Identifier: Apache-2.0
"""A table of which each read is one of a slow disk, for more reads than three nodes have threads."""

from collections.abc import Callable, Iterable, Sequence

from cassandra import ConsistencyLevel
from cassandra.cluster import Session
from cassandra.query import SimpleStatement
from coordinators import execute_all
from hammering import Outcomes, hammer
from shared_cluster import KEYSPACE, TABLE_OPTIONS, SharedCluster

from isotherm_lab.data import row_table

#: One request of so many reads another partition than the hot one.
ONE_IN = 50
#: Twice as many as three nodes have threads for reads: the coordinator sends each replica its part of them.
_IN_FLIGHT = 192
_SECONDS = 5
#: A partition that is cut keeps an eighth of the threads, each of which 32 reads at the disk hold for 0.18 s at most:
#: 23 reads a second. That of its share is more.
LEAST_OF_THE_HOT_ONE = 20


def create(cluster: SharedCluster, table: str, keys: int, replication: int) -> None:
    """Create the table in a fresh keyspace; the disk serves far fewer reads a second than are asked for."""
    data = row_table.RowDataset(keys=keys, value_bytes=100, service_us=11_000, parallel=2, row_cache=False)
    session = cluster.fresh_keyspace(replication=replication)
    row_table.add(session, data, table)
    session.execute(f"ALTER TABLE {table} WITH {TABLE_OPTIONS}")
    insert = session.prepare(f"INSERT INTO {table} (key, value) VALUES (?, ?)")
    execute_all(session, insert, [(key, bytes(data.value_bytes)) for key in range(keys)], ConsistencyLevel.ALL)
    cluster.cluster.order("flush", KEYSPACE)


def read(table: str, key: int) -> SimpleStatement:
    """Return the read of one partition by one replica."""
    return SimpleStatement(f"SELECT value FROM {table} WHERE key = {key}", consistency_level=ConsistencyLevel.ONE)


def mostly(table: str, hot: int, others: Sequence[int]) -> Callable[[int], SimpleStatement]:
    """Return the requests by their number: each of the hot partition, but for those that `ONE_IN` divides."""
    return lambda number: read(table, hot if number % ONE_IN else others[number // ONE_IN % len(others)])


def of_others(numbers: Iterable[int]) -> list[int]:
    """Return those of `mostly`'s requests that are of another partition than the hot one."""
    return [number for number in numbers if number % ONE_IN == 0]


def of_the_hot_one(outcomes: Outcomes) -> list[int]:
    """Return those of `mostly`'s requests in their second half that were answered and are of the hot partition."""
    return [number for number in outcomes.acknowledged if number % ONE_IN and number > len(outcomes) // 2]


def ask(session: Session, request: Callable[[int], SimpleStatement]) -> Outcomes:
    """Send these requests for some seconds, more at a time than three nodes have threads."""
    return hammer([session], request, seconds=_SECONDS, in_flight=_IN_FLIGHT)
