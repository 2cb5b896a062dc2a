# SPDX-License-Identifier: Apache-2.0
"""Tables with a limit for each partition, and what the nodes say they decided by it."""

from collections import Counter
from collections.abc import Callable

from cassandra import ConsistencyLevel
from cassandra.cluster import Session
from cassandra.protocol import ConfigurationException
from cassandra.query import BatchStatement, SimpleStatement, Statement
from plugin_views import counts
from shared_cluster import KEYSPACE, SharedCluster

#: What a client gets whose operation would take a partition over its limit.
RateLimited = ConfigurationException
#: A limit that nothing here reaches: everything is counted and admitted.
OPEN = 2**31 - 1
#: A limit that admits nothing: whatever is counted is rejected, without chance or time in it.
CLOSED = 0


def limit(reads: int | None = None, writes: int | None = None, dry_run: bool = False) -> str:
    """Return the table option."""
    keys = [f"'max_reads_per_second': {reads}"] * (reads is not None)
    keys += [f"'max_writes_per_second': {writes}"] * (writes is not None)
    keys += ["'dry_run': 'true'"] * dry_run
    return f"per_partition_rate_limit = {{{', '.join(keys)}}}"


def set_limit(cluster: SharedCluster, table: str, **limits) -> None:
    """Have a table limited in this way; every node follows before this returns."""
    cluster.session(0).execute(f"ALTER TABLE {KEYSPACE}.{table} WITH {limit(**limits)}")
    cluster.session(0).cluster.control_connection.wait_for_schema_agreement()


def decided(cluster: SharedCluster, *tables: str) -> Counter:
    """Return what all running nodes decided about these tables, summed: columns of isotherm.partition_limits."""
    sums: Counter = Counter()
    for index, node in enumerate(cluster.nodes):
        if node.is_running():
            sums.update(decided_by(cluster.session(index), *tables))
    return sums


def decided_by(session: Session, *tables: str) -> Counter:
    """Return what one node decided about these tables, summed."""
    sums: Counter = Counter()
    for table in tables:
        row = session.execute(
            "SELECT * FROM isotherm.partition_limits WHERE keyspace_name = %s AND table_name = %s", (KEYSPACE, table)
        ).one()
        sums.update({name: value for name, value in row._asdict().items() if name.endswith(("_reads", "_writes"))})
    return sums


def unanswered(session: Session) -> int:
    """Return how many questions for admission nobody answered this node in time, and so are admitted."""
    return counts(session)["LimitQuestionsUnanswered"]


def passed_over(session: Session) -> int:
    """Return how often this node asked another replica than the nearest, which had left a question unanswered."""
    return counts(session)["LimitReplicasPassedOver"]


def is_rejected(session: Session, statement: Statement) -> bool:
    """Execute what its partition's replicas reject: it is, or they took longer than 100 ms to say so; return which."""
    before = unanswered(session)
    try:
        session.execute(statement)
    except RateLimited:
        return True
    # A busy machine may be that slow, nothing else may.
    assert unanswered(session) > before, "it was admitted though nobody was silent"
    return False


def is_rejected_by_the_nearest(session: Session, statement: Statement) -> bool:
    """As `is_rejected`, by the replica that is asked first."""
    before = passed_over(session)
    return is_rejected(session, statement) and passed_over(session) == before


class Asked:
    """How one test executes its statements: through which session, at which level."""

    def __init__(self, session: Session, level: str):
        self.session = session
        self.level = ConsistencyLevel.name_to_value[level]

    def text(self, query: str, **options):
        """Execute an unprepared statement."""
        options.setdefault("consistency_level", self.level)
        return self.session.execute(SimpleStatement(query, **options))

    def prepared(self, query: str, *arguments):
        """Prepare a statement and execute it."""
        statement = self.session.prepare(query)
        statement.consistency_level = self.level
        return self.session.execute(statement, arguments)

    def batch(self, kind, *queries: str):
        """Execute a batch of the protocol; its first statement is prepared, the others are not."""
        batch = BatchStatement(kind, consistency_level=self.level)
        for query in queries:
            batch.add(self.session.prepare(query).bind(()) if query is queries[0] else SimpleStatement(query))
        return self.session.execute(batch)


def keys_where(cluster: SharedCluster, wanted: Callable[[set[str]], bool], count: int, start: int = 0) -> list[int]:
    """Return the first keys from `start` whose set of replicas is wanted."""
    keys: list[int] = []
    key = start
    while len(keys) < count:
        if wanted(cluster.replicas_of(key)):
            keys.append(key)
        key += 1
    return keys
