# SPDX-License-Identifier: Apache-2.0
"""A node that restarts counts as cold from then on, until it says otherwise itself."""

import pytest
from cassandra import ConsistencyLevel
from plugin_views import heat, hit_ratios
from shared_cluster import ROW_CACHE, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

KEYS = range(100)


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("cached", KEYS, ROW_CACHE)
    shared_cluster.fill("uncached", KEYS)
    return shared_cluster


def warm(cluster: SharedCluster, observers: tuple[int, ...], replica: str) -> bool:
    cluster.read(0, "cached", KEYS, ConsistencyLevel.ALL)
    ratios = [hit_ratios(cluster.session(index), "cached").get(replica) for index in observers]
    return all(ratio is not None and ratio > 0.9 for ratio in ratios)


def test_a_restarted_node_is_cold_until_it_reports(cluster: SharedCluster):
    third = cluster.addresses[2]
    until(lambda: warm(cluster, (0, 1), third), "the others believe node 3 warm")
    cluster.restart(2)
    for index in (0, 1):
        assert hit_ratios(cluster.session(index), "cached")[third] == 0
    until(lambda: warm(cluster, (0, 1), third), "the others believe node 3 warm again")


def test_a_table_without_row_cache_is_measured_by_its_disk_reads(cluster: SharedCluster):
    def measured() -> bool:
        cluster.read(0, "uncached", KEYS, ConsistencyLevel.ALL)
        rows = [heat(cluster.session(index), "uncached") for index in range(3)]
        # All is in the page cache: what a hit takes, and no longer the 10 ms of a node that has not read yet.
        return all(
            len(seen) == 3 and all(row.source == "disk" and 0 < row.cost_us < 1e4 for row in seen.values())
            for seen in rows
        )

    until(measured, "every node knows what every node's reads cost")
    for row in heat(cluster.session(0), "uncached").values():
        assert row.hit_ratio is None
        assert row.read_time_us is None
        assert row.cost_us >= 10
