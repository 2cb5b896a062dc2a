# SPDX-License-Identifier: Apache-2.0
"""Which statements are balanced, and how often: once for each partition that is read, and for nothing else."""

from collections.abc import Callable, Iterator

import pytest
from cassandra import ConsistencyLevel, InvalidRequest, ReadFailure
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from plugin_views import change_setting, counts, heat
from shared_cluster import ROW_CACHE, TABLE_OPTIONS, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

PARTITIONS = 12
USING_SAI = "USING 'sai'"


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """Tables of which node 1 knows every replica's heat; affinity balances at equal heat as well."""
    session = shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("plain", range(PARTITIONS), ROW_CACHE)
    session.execute(
        "CREATE TABLE lab.wide (key bigint, part int, value int, tag int, PRIMARY KEY (key, part))"
        f" WITH {TABLE_OPTIONS}"
    )
    session.execute("CREATE INDEX wide_value ON lab.wide (value)")
    # Storage-attached indexes came with 5.0.
    release = session.execute("SELECT release_version FROM system.local").one().release_version
    session.execute(f"CREATE INDEX wide_tag ON lab.wide (tag) {'' if release.startswith('4.') else USING_SAI}")
    for part in range(45):
        session.execute("INSERT INTO lab.wide (key, part, value, tag) VALUES (1, %s, 7, 8)", (part,))
    change_setting(session, "heat.placement", "affinity")

    def known() -> bool:
        shared_cluster.read(0, "plain", range(PARTITIONS), ConsistencyLevel.ALL)
        session.execute(SimpleStatement("SELECT * FROM lab.wide WHERE key = 1", consistency_level=ConsistencyLevel.ALL))
        return all(
            len(rows) == 3 and all(row.source == source for row in rows.values())
            for rows, source in ((heat(session, "plain"), "cache"), (heat(session, "wide"), "disk"))
        )

    until(known, "node 1 knows the heat of both tables")
    yield shared_cluster
    change_setting(session, "heat.placement", "local")


@pytest.fixture
def balanced(cluster: SharedCluster) -> Callable[[Callable[[], object]], int]:
    """How many reads node 1 balances while something is done."""

    def measure(action: Callable[[], object]) -> int:
        before = counts(cluster.session(0))
        action()
        after = counts(cluster.session(0))
        assert after["Failures"] == before["Failures"]
        return after["BalancedReads"] - before["BalancedReads"]

    return measure


@pytest.mark.parametrize("level", ["ONE", "TWO", "QUORUM", "LOCAL_ONE", "LOCAL_QUORUM", "EACH_QUORUM"])
def test_one_partition_counts_once_at_every_level_that_leaves_a_choice(cluster: SharedCluster, balanced, level: str):
    query = SimpleStatement(
        "SELECT value FROM lab.plain WHERE key = 3", consistency_level=getattr(ConsistencyLevel, level)
    )
    assert balanced(lambda: cluster.session(0).execute(query)) == 1


@pytest.mark.parametrize("level", ["THREE", "ALL"])
def test_a_read_of_all_replicas_leaves_no_choice(cluster: SharedCluster, balanced, level: str):
    query = SimpleStatement(
        "SELECT value FROM lab.plain WHERE key = 3", consistency_level=getattr(ConsistencyLevel, level)
    )
    assert balanced(lambda: cluster.session(0).execute(query)) == 0


def test_prepared_statements_count_like_others(cluster: SharedCluster, balanced):
    assert balanced(lambda: cluster.read(0, "plain", range(PARTITIONS))) == PARTITIONS


def test_in_counts_each_partition(cluster: SharedCluster, balanced):
    assert balanced(lambda: cluster.session(0).execute("SELECT value FROM lab.plain WHERE key IN (1, 2, 3)")) == 3


def test_each_page_counts(cluster: SharedCluster, balanced):
    query = SimpleStatement("SELECT part FROM lab.wide WHERE key = 1", fetch_size=10)
    rows = []
    assert balanced(lambda: rows.extend(cluster.session(0).execute(query))) == 5
    assert [row.part for row in rows] == list(range(45))


def test_conditional_statements_and_serial_reads_count(cluster: SharedCluster, balanced):
    session = cluster.session(0)
    assert balanced(lambda: session.execute("UPDATE lab.plain SET value = 1 WHERE key = 900 IF value = 0")) >= 1
    for level in ("SERIAL", "LOCAL_SERIAL"):
        query = SimpleStatement("SELECT value FROM lab.plain WHERE key = 3",
                                consistency_level=getattr(ConsistencyLevel, level))  # fmt: skip
        assert balanced(lambda: session.execute(query)) >= 1  # noqa: B023


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM lab.plain",
        "SELECT * FROM lab.plain WHERE token(key) > 0",
        "SELECT count(*) FROM lab.wide",
        "SELECT * FROM lab.wide WHERE value = 7",
        "SELECT * FROM lab.wide WHERE tag = 8",
        "SELECT * FROM lab.wide WHERE key = 1 AND value = 7",
        "SELECT * FROM lab.wide WHERE key = 1 AND tag = 8",
        "SELECT * FROM lab.wide WHERE part = 3 ALLOW FILTERING",
        "SELECT * FROM system.local",
        "SELECT * FROM system_schema.tables WHERE keyspace_name = 'lab'",
        "SELECT * FROM isotherm.heat",
        "INSERT INTO lab.plain (key, value) VALUES (3, 3)",
        "BEGIN BATCH INSERT INTO lab.plain (key, value) VALUES (3, 3);"
        " INSERT INTO lab.plain (key, value) VALUES (4, 4); APPLY BATCH",
    ],
)
def test_other_statements_keep_the_order_of_the_snitch(cluster: SharedCluster, balanced, query: str):
    session = cluster.session(0)

    def answered() -> bool:
        try:
            session.execute(query)
            return True
        except (ReadFailure, InvalidRequest):  # an index is being built
            return False

    until(answered, query)
    assert balanced(lambda: session.execute(query)) == 0


def test_a_batch_of_the_protocol_keeps_it_too(cluster: SharedCluster, balanced):
    session = cluster.session(0)
    batch = BatchStatement(BatchType.UNLOGGED)
    for key in (3, 4):
        batch.add(SimpleStatement("INSERT INTO lab.plain (key, value) VALUES (%s, %s)"), (key, key))
    assert balanced(lambda: session.execute(batch)) == 0


def test_a_mistaken_statement_leaves_nothing_behind(cluster: SharedCluster, balanced):
    session = cluster.session(0)

    def mistake() -> None:
        with pytest.raises(InvalidRequest):
            session.execute("SELECT value FROM lab.plain WHERE key = 3 AND value = 4 AND nothing = 5")

    assert balanced(mistake) == 0
    assert balanced(lambda: session.execute("SELECT * FROM lab.plain")) == 0
