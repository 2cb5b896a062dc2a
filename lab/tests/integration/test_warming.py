# SPDX-License-Identifier: Apache-2.0
"""A node that comes back cold is warmed by copies of reads that it is not asked for."""

from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel
from plugin_views import LogMark, change_setting, counts, hit_ratios
from shared_cluster import ROW_CACHE, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

KEYS = range(200)
COLD = 2


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """A table in the row cache, and warming switched on."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("cached", KEYS, ROW_CACHE)
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


def warmed(cluster: SharedCluster, level: int) -> bool:
    cluster.read(0, "cached", KEYS, level)
    ratio = hit_ratios(cluster.session(0), "cached").get(cluster.addresses[COLD])
    return ratio is not None and ratio > 0.9


def test_a_cold_node_gets_copies_until_it_is_warm(cluster: SharedCluster):
    before = copies(cluster, "Sent")
    mark = LogMark.end_of(cluster.nodes[COLD])
    cluster.restart(COLD)
    change_setting(cluster.session(COLD), "warming.enabled", "true")
    until(
        lambda: warmed(cluster, ConsistencyLevel.QUORUM) and said(mark, "asks for no copies of reads any more"),
        "node 3 is warm again, and says so",
        timeout_s=90,
    )
    sent, served = copies(cluster, "Sent"), copies(cluster, "Served")
    assert served[COLD] > 50
    # Only node 1 coordinates: it has sent what the cold node got, and some that it dropped.
    assert sent[0] - before[0] >= served[COLD]
    assert said(mark, "This node is colder than its peers in [lab.cached]")
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
