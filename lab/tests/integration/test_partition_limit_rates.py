# SPDX-License-Identifier: Apache-2.0
"""How much of a flood a limit lets through: counted, in bounds that the speed of the machine cannot move."""

import time

import pytest
from cassandra import ConsistencyLevel
from cassandra.metadata import Murmur3Token
from hammering import Outcomes, hammer
from partition_limits import decided, keys_where, limit, unanswered
from plugin_views import LogMark
from shared_cluster import TABLE_OPTIONS, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

LIMIT = 10
#: What a partition admits at once after idleness, whatever the chance: the operations of 0.4 s, and one.
BURST = 1 + 4 * LIMIT // 10
SECONDS = 2
#: Two that never hear of each other admit 110 in it, above the bound of 90. In two seconds it would be 50 and 45.
TOGETHER_S = 5


@pytest.fixture(scope="module", params=[3, 2], ids=["every_node_a_replica", "coordinator_not_a_replica"])
def table(shared_cluster: SharedCluster, request):
    """A table with a limit, and a partition of it: RF 3, or RF 2 and not on the first node."""
    session = shared_cluster.fresh_keyspace(request.param)
    session.execute(
        "CREATE TABLE lab.limited (key bigint, part int, value bigint, PRIMARY KEY (key, part)) WITH"
        f" {TABLE_OPTIONS} AND {limit(reads=LIMIT, writes=LIMIT)}"
    )
    first = shared_cluster.addresses[0]
    keys = iter(keys_where(shared_cluster, lambda replicas: request.param == 3 or first not in replicas, 20))
    marks = [LogMark.end_of(node) for node in shared_cluster.nodes]
    yield shared_cluster, keys
    shared_cluster.assert_nothing_failed(marks)


def flood(cluster: SharedCluster, key: int, query: str, level: str, indexes=(0,), seconds=SECONDS) -> Outcomes:
    """Execute the query on one partition as fast as it goes; what the nodes counted must be what the client saw."""
    statements = {}
    sessions = [cluster.session(index) for index in indexes]
    for session in sessions:
        statements[session] = session.prepare(query)
        statements[session].consistency_level = ConsistencyLevel.name_to_value[level]
    before = decided(cluster, "limited")
    # Prepared at one node, known at each: the statement's id is the same shared_cluster.
    outcomes = hammer(
        sessions,
        lambda _: statements[sessions[0]].bind((key,)),
        seconds=seconds,
        at_least=300,
        # Conditional statements on one partition get into each other's way, with a limit or without.
        in_flight=1 if "IF NOT EXISTS" in query else 16,
    )
    after = decided(cluster, "limited")
    operation = "reads" if query.startswith("SELECT") else "writes"
    assert outcomes.uncertain == {}
    assert after[f"admitted_{operation}"] - before[f"admitted_{operation}"] == len(outcomes.acknowledged)
    assert after[f"rejected_{operation}"] - before[f"rejected_{operation}"] == len(outcomes.rejected)
    return outcomes


STATEMENTS = {
    "read": "SELECT value FROM lab.limited WHERE key = ?",
    "write": "INSERT INTO lab.limited (key, part, value) VALUES (?, 1, 1)",
    "conditional": "INSERT INTO lab.limited (key, part, value) VALUES (?, 1, 1) IF NOT EXISTS",
}


@pytest.mark.parametrize(
    ("statement", "level"),
    [("read", "ONE"), ("write", "ALL"), ("conditional", "QUORUM")],
)
def test_one_coordinator_admits_about_the_limit(table, statement: str, level: str):
    cluster, keys = table
    key = next(keys)
    silent = unanswered(cluster.session(0))
    outcomes = flood(cluster, key, STATEMENTS[statement], level)
    # What nobody answers in time is admitted.
    silent = unanswered(cluster.session(0)) - silent
    print(f"{len(outcomes.acknowledged)} of {len(outcomes)} in {outcomes.seconds:.2f} s, {silent} not asked about")
    assert outcomes.rejected
    assert silent <= len(outcomes) / 5
    least = BURST + 0.5 * LIMIT * outcomes.counted_s
    # One node decides, but for reads at ONE of a coordinator that is no replica: two do, and each may spend a burst
    # before it hears of the other.
    bursts = 2 if statement == "read" and cluster.addresses[0] not in cluster.replicas_of(key) else 1
    assert least <= len(outcomes.acknowledged) <= 1 + bursts * BURST + 1.2 * LIMIT * outcomes.seconds + silent


def test_what_one_replica_admitted_the_others_know(table):
    """A read at ONE contacts one replica, which decides; the next coordinator's may contact another one."""
    cluster, keys = table
    key = next(keys)
    assert flood(cluster, key, STATEMENTS["read"], "ONE").rejected
    ended = time.monotonic()
    for index, address in enumerate(cluster.addresses):
        if address in cluster.replicas_of(key):
            session = cluster.session(index)
            statement = session.prepare(STATEMENTS["read"]).bind((key,))
            at_once = hammer([session], lambda _, statement=statement: statement, at_least=2 * BURST, in_flight=1)
            assert at_once.uncertain == {}
            # Not a burst once more, only what has been forgotten meanwhile.
            assert len(at_once.acknowledged) <= 2 + 1.2 * LIMIT * (time.monotonic() - ended), address


@pytest.mark.parametrize(("statement", "level"), [("read", "QUORUM"), ("write", "ALL")])
def test_three_coordinators_admit_about_the_limit_together(table, statement: str, level: str):
    """With two replicas it is both of them and a node that is none."""
    cluster, keys = table
    outcomes = flood(cluster, next(keys), STATEMENTS[statement], level, indexes=(0, 1, 2), seconds=TOGETHER_S)
    print(f"{len(outcomes.acknowledged)} of {len(outcomes)} in {outcomes.seconds:.2f} s")
    assert outcomes.rejected
    # Each may spend a burst before it hears of the others; from then on they share one limit.
    least = BURST + 0.5 * LIMIT * outcomes.counted_s
    assert least <= len(outcomes.acknowledged) <= 3 * BURST + 1.5 * LIMIT * outcomes.seconds


def test_other_partitions_have_limits_of_their_own(table):
    cluster, keys = table
    hot, *others = (next(keys) for _ in range(4))
    outcomes = flood(cluster, hot, STATEMENTS["read"], "ONE")
    assert outcomes.rejected
    session = cluster.session(0)
    for key in others:
        for _ in range(BURST):
            session.execute(f"SELECT value FROM lab.limited WHERE key = {key}")


def test_the_hottest_partition_is_shown(table):
    cluster, keys = table
    hot = next(keys)
    session = cluster.session(0)
    statements = [session.prepare(STATEMENTS[name]).bind((hot,)) for name in ("read", "write")]

    def shown():
        hammer([session], lambda number: statements[number % 2], at_least=200)
        rows = session.execute(
            "SELECT * FROM isotherm.hottest_partitions WHERE keyspace_name = 'lab' AND table_name = 'limited'"
            " AND partition_key = %s", (str(hot),)
        )  # fmt: skip
        return [
            row for row in rows
            if row.reads_per_second > 0
            and row.writes_per_second > 0
            and row.rejected_per_second > row.reads_per_second + row.writes_per_second
        ]  # fmt: skip

    row = until(shown, "the hot partition is shown with what it reads, writes and may not")[0]
    assert row.token == str(Murmur3Token.hash_fn(hot.to_bytes(8, "big", signed=True)))
