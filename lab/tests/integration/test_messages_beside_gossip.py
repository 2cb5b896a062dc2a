# SPDX-License-Identifier: Apache-2.0
"""What the plugin's nodes ask and tell each other leaves the gossip stage alone, which is one thread."""

import time
from collections.abc import Callable

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from gossip_states import WIRE, publish
from hammering import hammer
from partition_limits import CLOSED, is_rejected, is_rejected_by_the_nearest, keys_where, limit
from plugin_views import LogMark, counts
from shared_cluster import TABLE_OPTIONS, SharedCluster
from waiting import until

from isotherm_lab.cluster import control

pytestmark = pytest.mark.contract

#: Every admission on a partition with this limit is reported at once.
LIMIT = 50
#: So few that any machine's requests reach the limit of each: what is far from its limit is not reported.
PARTITIONS = 20
SECONDS = 5
#: A report is sent so many times where there are to be as many as in a large cluster.
TIMES = 40
#: So many are told at least, and each is sent so many times: were they the gossip stage's, it would have served sixteen
#: thousand tasks, in two minutes at most.
REPORTS = 400
MOST_S = 120
#: Three nodes' rounds of gossip are about ten tasks a second, and what they say of a change some more.
MOST_ROUNDS = 60
#: Enough for a busy machine to answer meanwhile. Nodes of which nothing is heard are held for dead after 18 s.
STALLED_MS = 10_000
#: The stage that takes answers, and the plugin's reports with them.
RESPONSES = "RequestResponseStage"


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    """Two replicas of each row: a limit that a flood reaches, and one that admits nothing."""
    session = shared_cluster.fresh_keyspace(replication=2)
    for table, most in (("busy", LIMIT), ("closed", CLOSED)):
        session.execute(
            f"CREATE TABLE lab.{table} (key bigint PRIMARY KEY, value int) WITH"
            f" {TABLE_OPTIONS} AND {limit(reads=most, writes=most)}"
        )
    return shared_cluster


def served(cluster: SharedCluster, stage: str) -> int:
    """Return how many tasks this stage of all nodes has served."""
    query = f"SELECT completed_tasks FROM system_views.thread_pools WHERE name = '{stage}'"
    return sum(cluster.session(index).execute(query).one().completed_tasks for index in range(3))


def reports(cluster: SharedCluster) -> int:
    """Return how many reports the plugin of all nodes has sent."""
    return sum(counts(cluster.session(index))["LimitReportsSent"] for index in range(3))


def per_second(cluster: SharedCluster, load: Callable[[], float]) -> tuple[float, float]:
    """Return, per second of the load and of all nodes, the reports that the plugin sent, and the tasks of gossip."""

    def now() -> tuple[int, int]:
        return reports(cluster), served(cluster, "GossipStage")

    before = now()
    seconds = load()
    told, gossiped = ((after - earlier) / seconds for after, earlier in zip(now(), before, strict=True))
    print(f"per second {told:.0f} reports, {gossiped:.0f} tasks of gossip")
    return told, gossiped


def flood(cluster: SharedCluster) -> float:
    """Read many partitions through all nodes as fast as it goes; return the seconds."""
    sessions = [cluster.session(index) for index in range(3)]
    select = sessions[0].prepare("SELECT value FROM lab.busy WHERE key = ?")
    outcomes = hammer(sessions, lambda number: select.bind((number % PARTITIONS,)), seconds=SECONDS)
    assert outcomes.uncertain == {}
    return outcomes.seconds


def flood_until_told(cluster: SharedCluster) -> float:
    """Flood until the reports are enough to tell from gossip; return the seconds."""
    before, seconds = reports(cluster), []

    def enough() -> bool:
        seconds.append(flood(cluster))
        return reports(cluster) - before >= REPORTS

    until(enough, "reports to tell from gossip", timeout_s=MOST_S)
    return sum(seconds)


@pytest.mark.long
def test_reports_are_not_served_by_the_gossip_stage(cluster: SharedCluster):
    flood(cluster)
    told, gossiped = per_second(cluster, lambda: flood_until_told(cluster))
    # The rounds of three nodes' gossip are about ten tasks a second; reports that are pings would be tasks too.
    assert gossiped < told / 2


def test_thousands_of_reports_are_nothing_to_the_gossip_stage(cluster: SharedCluster):
    for node in cluster.nodes:
        control.order(node, "reports", str(TIMES))
    responses, reported = served(cluster, RESPONSES), reports(cluster)
    try:
        told, gossiped = per_second(cluster, lambda: flood_until_told(cluster))
        sent = TIMES * (reports(cluster) - reported)
    finally:
        for node in cluster.nodes:
            control.order(node, "reports", "1")
    # Beside them are the answers to reads and writes; what is queued at the end comes later.
    until(lambda: served(cluster, RESPONSES) - responses > 0.9 * sent, "all of them arrive", timeout_s=60)
    assert told * TIMES > 3 * MOST_ROUNDS, "too few to tell from gossip"
    # As many as the rounds of gossip of nodes that report nothing.
    assert gossiped < MOST_ROUNDS


def asked_elsewhere(cluster: SharedCluster, index: int) -> SimpleStatement:
    """Return a write of which the first node asks this one first, being no replica itself."""
    addresses = set(cluster.addresses[1:])
    key = next(
        key
        for key in keys_where(cluster, lambda replicas: replicas == addresses, 50)
        if nearest(cluster, key) == cluster.addresses[index]
    )
    return SimpleStatement(
        f"INSERT INTO lab.closed (key, value) VALUES ({key}, 1)", consistency_level=ConsistencyLevel.ANY
    )


def nearest(cluster: SharedCluster, key: int) -> str:
    """Return the first replica of a key on the ring: the lab's snitch takes it for the nearest of two other nodes."""
    metadata = cluster.session(0).cluster.metadata
    return metadata.get_replicas("lab", key.to_bytes(8, "big", signed=True))[0].address


def test_questions_are_answered_while_the_gossip_stage_is_busy(cluster: SharedCluster):
    session, write = cluster.session(0), asked_elsewhere(cluster, 1)
    until(lambda: is_rejected_by_the_nearest(session, write), "the replica answers")
    over = time.monotonic() + STALLED_MS / 1000
    control.order(cluster.nodes[1], "stall", str(STALLED_MS))
    try:
        until(
            lambda: is_rejected_by_the_nearest(session, write),
            "a replica answers whose gossip stage is busy",
            timeout_s=STALLED_MS / 1000,
        )
        assert time.monotonic() < over
    finally:
        # It begins when the stage is free again: whoever comes next changes what is gossiped.
        control.order(cluster.nodes[1], "stall", "0")


@pytest.mark.long
def test_nodes_of_earlier_builds_are_asked_and_told_by_pings(cluster: SharedCluster):
    """A node that says nothing of what it understands is one of them."""
    for node in cluster.nodes:
        publish(node, WIRE, "")
    try:

        def pinged() -> bool:
            told, gossiped = per_second(cluster, lambda: flood(cluster))
            return gossiped > told > 0

        until(pinged, "every report is served by a gossip stage", timeout_s=60)
        write = asked_elsewhere(cluster, 1)
        until(lambda: is_rejected(cluster.session(0), write), "a question that is a ping is answered")
    finally:
        for node in cluster.nodes:
            publish(node, WIRE, "isotherm.wire:1")


def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
