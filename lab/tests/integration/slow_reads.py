# SPDX-License-Identifier: Apache-2.0
"""A table of which each read is one of a slow disk, for more reads than three nodes have threads."""

import time
from collections.abc import Callable, Iterable, Sequence

from cassandra import ConsistencyLevel
from cassandra.cluster import Session
from cassandra.query import SimpleStatement, Statement
from coordinators import execute_all
from hammering import Outcomes, hammer
from shared_cluster import KEYSPACE, TABLE_OPTIONS, SharedCluster

from isotherm_lab.data import row_table

#: Each partition but the hot one is read so many times a second, however fast reads of the hot one are refused: a read
#: holds one of 32 threads for 0.18 s, and four a second hold 2 % of them, a sixth of what no share takes away. Reads of
#: a machine whose processors are busy with refusals may take some times as long.
EACH_PER_S = 4
#: Of so many others, which together leave the hot one more than half of the threads.
MOST_OTHERS = 9
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


class MostlyHot:
    """Reads by their number, for one thread that asks for them: of the hot partition, or of others in their turn."""

    def __init__(self, hot: Statement, others: Sequence[Statement] = ()):
        self._hot, self._others = hot, others[:MOST_OTHERS]
        self._next_s = time.monotonic()
        #: The numbers of those of others.
        self.of_others: set[int] = set()

    def __call__(self, number: int) -> Statement:
        if not self._others or time.monotonic() < self._next_s:
            return self._hot
        # What comes late is not made up for: many at once would be many.
        self._next_s = time.monotonic() + 1 / (EACH_PER_S * len(self._others))
        self.of_others.add(number)
        return self._others[len(self.of_others) % len(self._others)]

    def late_of_the_hot_one(self, outcomes: Outcomes) -> list[int]:
        """Return those of the second half that were answered and are of the hot partition."""
        return [number for number in outcomes.acknowledged - self.of_others if number > len(outcomes) // 2]


def mostly(table: str, hot: int, others: Iterable[int]) -> MostlyHot:
    """Return reads of one partition, and of these others in their turn."""
    return MostlyHot(read(table, hot), [read(table, key) for key in others])


def ask(session: Session, reads: MostlyHot, over: Callable[[], bool] = lambda: True) -> Outcomes:
    """Send these reads for some seconds and until it is over, more at a time than three nodes have threads."""
    return hammer([session], reads, seconds=_SECONDS, over=over, in_flight=_IN_FLIGHT)
