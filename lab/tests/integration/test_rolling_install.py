# SPDX-License-Identifier: Apache-2.0
"""The plugin is installed on the other nodes, one after the other, under reads and writes that do not notice."""

import time
from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel
from plugin_views import LogMark, change_setting, counts, heat
from register_load import RegisterLoad
from shared_cluster import EVERY_NODE, FIRST_NODE_ONLY, PLUGIN, ROW_CACHE, STOCK, SharedCluster
from waiting import until

from isotherm_lab.load.register_clients import CLIENTS
from isotherm_lab.measure.histories import violations

pytestmark = [pytest.mark.contract, pytest.mark.begins_with(*FIRST_NODE_ONLY), pytest.mark.leaves(*EVERY_NODE)]


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("registers", [], ROW_CACHE)
    yield shared_cluster
    for index in range(3):
        change_setting(shared_cluster.session(index), "heat.placement", "local")


def test_readers_and_writers_do_not_notice(cluster: SharedCluster):
    stops: list[tuple[float, float]] = []
    with RegisterLoad(cluster.addresses, seed=11) as load:
        until(lambda: len(load.history()) > 200, "the load runs")
        for index in (1, 2):
            assert cluster.cluster.variants[index] == STOCK
            began = time.monotonic()
            cluster.install(index, PLUGIN)
            stops.append((began, time.monotonic()))
        so_far = len(load.history())
        until(lambda: len(load.history()) > so_far + 200, "the load runs on")

    history = load.history()
    assert violations(history) == []
    # Only a request that was with the node as it stopped may fail; the driver repeats even most of those elsewhere.
    failed = [operation for operation in history if not operation.succeeded]
    assert [f for f in failed if not any(began <= f.ended and f.began <= back for began, back in stops)] == []
    assert all("Connection" in f.error or "NoHost" in f.error for f in failed), failed
    # Each client has one request under way, so that no more than so many are with a node as it stops.
    for began, back in stops:
        of_this_stop = [f for f in failed if began <= f.ended and f.began <= back]
        assert len(of_this_stop) <= CLIENTS, of_this_stop


def test_reads_are_balanced_on_every_node(cluster: SharedCluster):
    cluster.fill("warm", range(100), ROW_CACHE)
    for index in range(3):
        change_setting(cluster.session(index), "heat.placement", "affinity")  # balances at equal heat as well
        before = counts(cluster.session(index))["BalancedReads"]

        def known(index: int = index) -> bool:
            cluster.read(0, "warm", range(100), ConsistencyLevel.ALL)
            rows = heat(cluster.session(index), "warm")
            return len(rows) == 3 and all(row.source == "cache" for row in rows.values())

        until(known, f"node {index + 1} knows the heat of all")
        cluster.read(index, "warm", range(100), ConsistencyLevel.QUORUM)
        assert counts(cluster.session(index))["BalancedReads"] - before >= 100


def test_nobody_complains(cluster: SharedCluster):
    cluster.assert_nothing_failed(LogMark(node, 0) for node in cluster.nodes[1:])
