# SPDX-License-Identifier: Apache-2.0
"""A node that comes back cold is warmed by copies of reads that it is not asked for."""

import itertools
from collections.abc import Iterator, Sequence

import pytest
from cassandra import ConsistencyLevel
from partition_limits import OPEN, limit
from plugin_views import LogMark, change_setting, counts, hit_ratios
from shared_cluster import ROW_CACHE, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

KEYS = range(700)
#: From this key on none is read after the restart until node 3 asks for copies.
FIRST = 500
#: Keys read at a time until then: so few that none is read twice for ten seconds, should gossip take so long.
PART = 5
COLD = 2


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """A table in the row cache, with a limit that nothing reaches, and warming switched on."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("cached", KEYS, f"{ROW_CACHE} AND {limit(reads=OPEN)}")
    until(lambda: warmed(shared_cluster, ConsistencyLevel.ALL), "node 3 is warm")
    for index in range(3):
        change_setting(shared_cluster.session(index), "warming.enabled", "true")
    yield shared_cluster
    for index in range(3):
        change_setting(shared_cluster.session(index), "warming.enabled", "false")


def copies(cluster: SharedCluster, kind: str) -> list[int]:
    return [counts(cluster.session(index))[f"WarmingCopies{kind}"] for index in range(3)]


def said(mark: LogMark, sentence: str) -> bool:
    return any(sentence in entry for entry in mark.lines("dev.isotherm"))


def counted_as_clients(cluster: SharedCluster, index: int) -> tuple[int, int]:
    """Return how many reads of the table this node has counted as its clients', and for the limit."""
    session = cluster.session(index)
    latency = "SELECT count FROM system_views.coordinator_read_latency WHERE keyspace_name = %s AND table_name = %s"
    admitted = "SELECT admitted_reads FROM isotherm.partition_limits WHERE keyspace_name = %s AND table_name = %s"
    return tuple(session.execute(query, ("lab", "cached")).one()[0] for query in (latency, admitted))


def hit_ratio_of_cold_node(cluster: SharedCluster) -> float:
    """Return the hit ratio of node 3 as node 1 knows it, 0 while it does not."""
    return hit_ratios(cluster.session(0), "cached").get(cluster.addresses[COLD]) or 0


def warmed(cluster: SharedCluster, level: int) -> bool:
    cluster.read(0, "cached", KEYS, level)
    return hit_ratio_of_cold_node(cluster) > 0.9


def served_to_clients(cluster: SharedCluster) -> int:
    """Return the reads of the table that node 3 has served, but for copies."""
    session = cluster.session(COLD)
    latency = "SELECT count FROM system_views.local_read_latency WHERE keyspace_name = 'lab' AND table_name = 'cached'"

    def counted_at_once() -> tuple[int, int] | None:
        copied = counts(session)["WarmingCopiesServed"]
        served = session.execute(latency).one()[0]
        return (served, copied) if counts(session)["WarmingCopiesServed"] == copied else None

    # A copy that is served between the two would count as a client's read.
    served, copied = until(counted_at_once, "no copy is served while both are counted")
    return served - copied


def test_a_cold_node_gets_copies_until_it_is_warm(cluster: SharedCluster):
    before = copies(cluster, "Sent")
    counted = [counted_as_clients(cluster, index) for index in range(3)]
    read = 0
    mark = LogMark.end_of(cluster.nodes[COLD])
    cluster.restart(COLD)
    change_setting(cluster.session(COLD), "warming.enabled", "true")

    def read_more(keys: Sequence[int]) -> None:
        nonlocal read
        cluster.read(0, "cached", keys, ConsistencyLevel.QUORUM)
        read += len(keys)

    parts = itertools.cycle(range(0, FIRST, PART))

    def asks_for_copies() -> bool:
        # Few keys, and others each time: it shall be cold still when it asks.
        part = next(parts)
        read_more(KEYS[part : part + PART])
        return copies(cluster, "Sent")[0] > before[0]

    until(asks_for_copies, "node 1 knows that node 3 asks for copies")
    of_clients = served_to_clients(cluster)
    read_more(KEYS[FIRST:])
    of_clients = served_to_clients(cluster) - of_clients
    assert hit_ratio_of_cold_node(cluster) <= 0.5
    # Of 400 contacts one that misses all of its reads has 2. Without copies it had 70 or more, as its disk bears them.
    assert of_clients <= 20

    def warm_again() -> bool:
        read_more(KEYS)
        is_warm = hit_ratio_of_cold_node(cluster) > 0.9
        return is_warm and said(mark, "asks for no copies of reads any more")

    until(warm_again, "node 3 is warm again, and says so", timeout_s=90)
    sent, served = copies(cluster, "Sent"), copies(cluster, "Served")
    assert served[COLD] > 50
    # Only node 1 coordinates: it has sent what the cold node got, and some that it dropped.
    assert sent[0] - before[0] >= served[COLD]
    assert said(mark, "This node is colder than its peers in [lab.cached]")
    # Copies are no reads of clients, on either side, and no limit counts them.
    coordinated = tuple(count + read for count in counted[0])
    assert [counted_as_clients(cluster, index) for index in range(3)] == [coordinated, counted[1], (0, 0)]
    cluster.assert_nothing_failed([mark])


def nothing_is_sent(cluster: SharedCluster) -> bool:
    before = copies(cluster, "Sent")
    cluster.read(0, "cached", KEYS, ConsistencyLevel.QUORUM)
    return copies(cluster, "Sent") == before


def test_a_warm_cluster_copies_nothing(cluster: SharedCluster):
    # What the warm node tells takes its way to the coordinator, and the copy it had begun is counted at its end.
    until(lambda: nothing_is_sent(cluster), "the coordinator knows that no copy is asked for")
    sent, served = copies(cluster, "Sent"), copies(cluster, "Served")
    for _ in range(5):
        cluster.read(0, "cached", KEYS, ConsistencyLevel.QUORUM)
    assert (copies(cluster, "Sent"), copies(cluster, "Served")) == (sent, served)
