# SPDX-License-Identifier: Apache-2.0
"""The lab's slow network: what a node holds back is late for everybody, and nothing is lost."""

import time

import pytest
from cassandra import ConsistencyLevel
from plugin_views import LogMark
from shared_cluster import SharedCluster

from isotherm_lab.experiments.bad_links import bad_links
from isotherm_lab.experiments.gray.faults import LATE_MS

ROUND_TRIP_S = 2 * LATE_MS / 1000
LATE, ON_TIME = 2, (0, 1)


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("plain", range(10))
    return shared_cluster


def fastest(cluster: SharedCluster, coordinator: int) -> float:
    """Return the seconds of the fastest of several reads that need all replicas."""
    times = []
    for key in range(10):
        begun = time.monotonic()
        cluster.read(coordinator, "plain", [key], ConsistencyLevel.ALL)
        times.append(time.monotonic() - begun)
    return min(times)


def test_an_answer_of_a_late_node_takes_a_way_there_and_a_way_back(cluster: SharedCluster):
    assert all(fastest(cluster, coordinator) < ROUND_TRIP_S for coordinator in (*ON_TIME, LATE))
    with bad_links(cluster.cluster, LATE, "late", LATE_MS):
        assert all(fastest(cluster, coordinator) >= ROUND_TRIP_S for coordinator in (*ON_TIME, LATE))
    assert all(fastest(cluster, coordinator) < ROUND_TRIP_S for coordinator in (*ON_TIME, LATE))


def test_many_messages_wait_at_the_same_time_and_all_arrive(cluster: SharedCluster):
    keys = [number % 10 for number in range(480)]
    with bad_links(cluster.cluster, LATE, "late", LATE_MS):
        begun = time.monotonic()
        cluster.read(0, "plain", keys, ConsistencyLevel.ALL)
        # One after the other they would take a hundred seconds.
        assert time.monotonic() - begun < 0.5 * len(keys) * ROUND_TRIP_S


def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
