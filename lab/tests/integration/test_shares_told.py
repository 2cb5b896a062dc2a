# SPDX-License-Identifier: Apache-2.0
"""A coordinator that is no replica refuses what the saturated replicas have told it that they refuse."""

import pytest
import slow_reads
from plugin_views import LogMark, change_setting, counts
from shared_cluster import KEYSPACE, SharedCluster

pytestmark = pytest.mark.contract

TABLE = f"{KEYSPACE}.told"
KEYS = 30


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    """The cluster with a table of which each row is on one node's slow disk."""
    slow_reads.create(shared_cluster, TABLE, KEYS, replication=1)
    return shared_cluster


def refused(cluster: SharedCluster) -> list[int]:
    """Return how many reads each node has refused by fair shares."""
    return [counts(cluster.session(index))["FairShareRefused"] for index in range(len(cluster.nodes))]


def test_what_the_replica_refuses_is_refused_where_it_arrives(cluster: SharedCluster):
    first = {cluster.nodes[0].address}
    here = [key for key in range(KEYS) if cluster.replicas_of(key) == first]
    hot, others = here[0], here[1:]
    assert others

    nodes = range(len(cluster.nodes))
    for index in nodes:
        change_setting(cluster.session(index), "limit.fair_share", "on")
    before, reads = refused(cluster), slow_reads.mostly(TABLE, hot, others)
    try:
        outcomes = slow_reads.ask(cluster.session(1), reads)
    finally:
        for index in nodes:
            change_setting(cluster.session(index), "limit.fair_share", "off")
    by_replica, by_coordinator, by_stranger = (
        after - earlier for after, earlier in zip(refused(cluster), before, strict=True)
    )
    assert outcomes.uncertain == {}
    assert by_replica + by_coordinator == len(outcomes.rejected)
    # What the replica refuses tells the coordinator which part it admits: it then refuses the rest.
    assert by_coordinator > by_replica > 0
    assert by_stranger == 0
    assert outcomes.acknowledged >= reads.of_others != set()
    assert len(reads.late_of_the_hot_one(outcomes)) > slow_reads.LEAST_OF_THE_HOT_ONE


def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
