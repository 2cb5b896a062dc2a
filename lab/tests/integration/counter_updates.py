# SPDX-License-Identifier: Apache-2.0
"""Counter updates of every kind, and what the counters must be after them."""

from collections import Counter

from cassandra import ConsistencyLevel
from cassandra.cluster import Session
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from shared_cluster import KEYSPACE, SharedCluster

LEVELS = ["ONE", "TWO", "QUORUM", "ALL", "LOCAL_ONE", "LOCAL_QUORUM", "EACH_QUORUM"]
TABLE = f"{KEYSPACE}.counters"
#: What isotherm.counts has of decisions about leaders.
KINDS = (
    "LeaderLocal",
    "LeaderRedirected",
    "LeaderLocalOverLimit",
    "LeaderLeastLoaded",
    "LeaderTimedOut",
    "LeaderRandom",
)
_UPDATE = f"UPDATE {TABLE} SET value = value + %s WHERE key = %s"


class CounterUpdates:
    """A table of counters, all updates that were acknowledged, and those whose fate is unknown."""

    def __init__(self, cluster: SharedCluster, replication: int):
        self._cluster = cluster
        self.acknowledged: Counter[int] = Counter()
        cluster.fresh_keyspace(replication).execute(f"CREATE TABLE {TABLE} (key bigint PRIMARY KEY, value counter)")

    def each_kind(self, index: int, level: str, key: int) -> int:
        """Add to this counter and the next through one coordinator, in every kind; return how many single ones."""
        session = self._cluster.session(index)
        singles = self._singly(session, level, key)
        self._batched(session, level, key)
        return singles

    def _singly(self, session: Session, level: str, key: int) -> int:
        number = ConsistencyLevel.name_to_value[level]
        prepared = session.prepare(_UPDATE.replace("%s", "?"))
        prepared.consistency_level = number
        session.execute(prepared, (1, key))
        session.execute(SimpleStatement(_UPDATE, consistency_level=number), (2, key))
        session.execute(SimpleStatement(_UPDATE % (-5, key), consistency_level=number))
        self.acknowledged[key] += 1 + 2 - 5
        return 3

    def _batched(self, session: Session, level: str, key: int) -> None:
        number = ConsistencyLevel.name_to_value[level]
        prepared = session.prepare(_UPDATE.replace("%s", "?"))
        batch = BatchStatement(batch_type=BatchType.COUNTER, consistency_level=number)
        batch.add(prepared, (10, key))
        batch.add(SimpleStatement(_UPDATE), (20, key + 1))
        session.execute(batch)
        text = f"BEGIN COUNTER BATCH {_UPDATE % (100, key)}; {_UPDATE % (200, key + 1)}; APPLY BATCH"
        session.execute(SimpleStatement(text, consistency_level=number))
        self.acknowledged[key] += 110
        self.acknowledged[key + 1] += 220

    def counted(self) -> dict[int, int]:
        """Return every counter as all its replicas together have it."""
        query = SimpleStatement(f"SELECT key, value FROM {TABLE}", consistency_level=ConsistencyLevel.ALL)
        return {row.key: row.value for row in self._cluster.session(0).execute(query)}
