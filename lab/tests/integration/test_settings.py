# SPDX-License-Identifier: Apache-2.0
"""Reading balance is switched off and on, and its placement changed, while the nodes run."""

from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel, InvalidRequest
from plugin_views import change_setting, counts, hit_ratios
from probes import samples_now
from shared_cluster import ROW_CACHE, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

KEYS = range(50)


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """A table that is warm everywhere, so that all replicas are equally hot, and affinity on every node."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("plain", KEYS, ROW_CACHE)
    sessions = [shared_cluster.session(index) for index in range(3)]
    for session in sessions:
        change_setting(session, "heat.placement", "affinity")

    def equal() -> bool:
        shared_cluster.read(0, "plain", KEYS, ConsistencyLevel.ALL)
        ratios = [hit_ratios(session, "plain") for session in sessions]
        return all(len(seen) == 3 and min(ratio or 0 for ratio in seen.values()) > 0.995 for seen in ratios)

    # A last change of less than 1 % is told with the next refresh, up to 30 s later.
    until(equal, "all nodes believe all nodes warm", timeout_s=60)
    yield shared_cluster
    for session in sessions:
        change_setting(session, "heat.enabled", "true")
        change_setting(session, "heat.placement", "local")


def balanced_reads(cluster: SharedCluster) -> int:
    before = counts(cluster.session(0))["BalancedReads"]
    cluster.read(0, "plain", KEYS)
    return counts(cluster.session(0))["BalancedReads"] - before


def test_switched_off_and_on(cluster: SharedCluster):
    assert balanced_reads(cluster) == len(KEYS)
    change_setting(cluster.session(0), "heat.enabled", "false")
    assert balanced_reads(cluster) == 0
    change_setting(cluster.session(0), "heat.enabled", "true")
    assert balanced_reads(cluster) == len(KEYS)


def test_settings_show_what_is_in_force(cluster: SharedCluster):
    def shown() -> dict[str, str]:
        return {row.name: row.value for row in cluster.session(0).execute("SELECT * FROM isotherm.settings")}

    assert shown() == {
        "guard.enabled": "false",
        "guard.out_of_reads": "0s",
        "heat.enabled": "true",
        "heat.placement": "affinity",
        "limit.enabled": "true",
        "limit.fair_share": "off",
        "queue.enabled": "true",
        "warming.enabled": "false",
    }
    change_setting(cluster.session(0), "heat.placement", "local")
    assert shown()["heat.placement"] == "local"
    change_setting(cluster.session(0), "heat.placement", "affinity")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("heat.enabled", "perhaps", "heat.enabled: perhaps is refused; allowed: true, false"),
        (
            "guard.out_of_reads",
            "1441m",
            "guard.out_of_reads: 1441m is refused; allowed: a number with a unit: 500us, 10ms, 90s or 2m,"
            " at most 1440m; 0s puts the node back",
        ),
        ("heat.placement", "somewhere", "heat.placement: somewhere is refused; allowed: local, affinity"),
        ("limit.fair_share", "often", "limit.fair_share: often is refused; allowed: off, dry_run or on"),
        ("limit.enabled", "maybe", "limit.enabled: maybe is refused; allowed: true, false"),
        ("queue.enabled", "", "queue.enabled:  is refused; allowed: true, false"),
        (
            "heat.warmth",
            "1",
            "name: heat.warmth is refused; allowed: guard.enabled, guard.out_of_reads, heat.enabled, heat.placement,"
            " limit.enabled, limit.fair_share, queue.enabled, warming.enabled",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(cluster: SharedCluster, name: str, value: str, sentence: str):
    with pytest.raises(InvalidRequest) as refusal:
        change_setting(cluster.session(0), name, value)
    assert sentence in str(refusal.value)


def test_under_affinity_a_partition_keeps_its_pair_whoever_coordinates(cluster: SharedCluster):
    reads, pairs = 10, set()
    before = samples_now(cluster.nodes)
    for key in list(KEYS)[:8]:
        for coordinator in range(3):
            cluster.read(coordinator, "plain", [key] * reads, ConsistencyLevel.QUORUM)
        after = samples_now(cluster.nodes)
        served = [now.since(earlier).reads for now, earlier in zip(after, before, strict=True)]
        before = after
        assert sorted(served) == [0, 3 * reads, 3 * reads], key
        pairs.add(tuple(count > 0 for count in served))
    assert len(pairs) > 1, "all partitions meet the same pair"
