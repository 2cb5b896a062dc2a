# SPDX-License-Identifier: Apache-2.0
"""The coordinator that serves a read itself under affinity placement is the one the nodes would choose."""

import collections
import random

import pytest
from cassandra import ConsistencyLevel
from cassandra.cqltypes import Int32Type
from cassandra.protocol import ColumnMetadata
from cassandra.query import PreparedStatement, SimpleStatement
from hypothesis import given
from hypothesis import strategies as st
from queue_aware_policy import queue_aware_over
from topology import TABLE, grid, statement

from isotherm_driver.affinity.hot_partitions import HotPartitions
from isotherm_driver.affinity.shares import MISS_FLOOR, shares
from isotherm_driver.affinity.splitmix64 import point_of
from isotherm_driver.affinity.systematic_sampling import systematic_sample
from isotherm_driver.explaining import explain
from isotherm_driver.node_reports import NodeReports

# What the plugin's core computes: k, token, point, miss ratios, drawn replicas.
REFERENCE = [
    (1, -8225913900319941199, 0.1829903823774276, [0.407439801, 0.0, 0.658867239, 0.006117182, 0.159578054], [1]),
    (1, 6806895744627829028, 0.9837473913281649, [0.397174342, 0.159339516], [1]),
    (4, -4722652817683412901, 0.6286873713572715,
     [0.770535880, 0.042298334, 0.378202045, 0.0, 0.694947980, 0.004852533, 0.523135155], [1, 3, 4, 5]),
]  # fmt: skip

MISSES = st.lists(st.floats(0, 1), min_size=2, max_size=9)


@pytest.mark.parametrize(("k", "token", "point", "misses", "replicas"), REFERENCE)
def test_points_and_draws_are_the_plugins(k, token, point, misses, replicas):
    assert point_of(token) == point
    assert systematic_sample(point, shares(misses, k), k) == replicas


@given(MISSES, st.data())
def test_shares_sum_to_one_none_exceeds_its_part_and_who_misses_less_gets_no_less(misses, data):
    k = data.draw(st.integers(1, len(misses) - 1))
    found = shares(misses, k)
    assert sum(found) == pytest.approx(1)
    assert all(0 < share <= 1 / k + 1e-12 for share in found)
    floored = [max(MISS_FLOOR, miss) for miss in misses]
    if max(misses) - min(misses) > max(0.01, 0.3 * max(misses)):
        for i in range(len(misses)):
            for j in range(len(misses)):
                if floored[i] < floored[j]:
                    assert found[i] >= found[j] - 1e-12


@pytest.mark.parametrize(
    ("misses", "equal"),
    [([0.06, 0.0856], True), ([0.06, 0.0862], False), ([0.71, 1.0], True), ([0.69, 1.0], False), ([0.0, 0.0], True)],
)
def test_close_ratios_count_as_equal_as_on_the_nodes(misses, equal):
    found = shares(misses, 1)
    assert (found[0] == found[1]) is equal


@given(MISSES, st.floats(0, 1, exclude_max=True), st.data())
def test_a_draw_is_of_as_many_different_replicas_as_are_contacted(misses, point, data):
    k = data.draw(st.integers(1, len(misses) - 1))
    replicas = systematic_sample(point, shares(misses, k), k)
    assert replicas == sorted(set(replicas))
    assert len(replicas) == k


def policy_over(hosts, **settings):
    return queue_aware_over(hosts, in_flight=lambda host: None, affinity=True, **settings)


def test_a_partition_keeps_its_coordinator_and_partitions_are_spread_over_all():
    hosts = grid(1, 1, 3)
    policy = policy_over(hosts)
    first_of = {}
    for _ in range(3):
        for i in range(600):
            first = next(policy.make_query_plan(None, statement(i.to_bytes(4, "big"))))
            assert first_of.setdefault(i, first) is first
    counts = collections.Counter(first_of.values())
    assert all(count == pytest.approx(200, abs=45) for count in counts.values())


def test_a_quorum_leaves_the_third_replica_last():
    hosts = grid(1, 1, 3)
    policy = policy_over(hosts, consistency_level=ConsistencyLevel.LOCAL_QUORUM)
    lasts = {list(policy.make_query_plan(None, statement(b"key")))[2] for _ in range(30)}
    firsts = {next(policy.make_query_plan(None, statement(b"key"))) for _ in range(30)}
    assert len(lasts) == 1
    assert len(firsts) == 2


def test_an_explanation_counts_as_the_one_plan_that_it_makes():
    policy = policy_over(grid(1, 1, 3), hot_partitions=HotPartitions(share=1 / 16, window=256))
    for _ in range(16):
        said = [str(choice) for choice in explain(policy, statement(b"key"))]
        assert any("reads the partition itself" in each for each in said)
    said = [str(choice) for choice in explain(policy, statement(b"key"))]
    assert not any("reads the partition itself" in each for each in said)


def test_writes_are_spread_over_all_replicas():
    hosts = grid(1, 1, 3)
    policy = policy_over(hosts)
    query = SimpleStatement("UPDATE ks.t SET v = 1", routing_key=b"key", keyspace="ks")
    query.table = TABLE
    assert {next(policy.make_query_plan(None, query)) for _ in range(100)} == set(hosts)


def test_a_dead_replica_is_not_reckoned_with():
    hosts = grid(1, 1, 3)
    policy = policy_over(hosts)
    hosts[0].is_up = False
    counts = collections.Counter(next(policy.make_query_plan(None, statement(bytes([i])))) for i in range(200))
    assert set(counts) == set(hosts[1:])


def test_a_cold_node_coordinates_less():
    hosts = grid(1, 1, 3)
    reports = NodeReports()
    reports.heats([("ks", TABLE, host.address, "cache", 0.2 if host is hosts[0] else 0.9) for host in hosts])
    policy = policy_over(hosts, reports=reports)
    counts = collections.Counter(
        next(policy.make_query_plan(None, statement(i.to_bytes(4, "big")))) for i in range(2000)
    )
    assert counts[hosts[0]] / 2000 == pytest.approx(0.0588, abs=0.02)  # 1/0.8 of 1/0.8 + 1/0.1 + 1/0.1


def test_a_policy_reckons_with_the_floor_of_the_nodes():
    hosts = grid(1, 1, 3)
    reports = NodeReports()
    reports.heats([("ks", TABLE, host.address, "cache", 0.0 if host is hosts[0] else 1.0) for host in hosts])
    policy = policy_over(hosts, reports=reports)

    def part():
        counts = collections.Counter(
            next(policy.make_query_plan(None, statement(i.to_bytes(4, "big")))) for i in range(2000)
        )
        return counts[hosts[0]] / 2000

    assert part() == pytest.approx(1 / 41, abs=0.015)
    reports.reckon_with(miss_floor=1)
    assert part() == pytest.approx(1 / 3, abs=0.03)
    reports.reckon_with(miss_floor=0.5)
    assert part() == pytest.approx(1 / 5, abs=0.03)


def test_the_heat_of_a_bound_statements_table_is_used_under_either_driver():
    hosts = grid(1, 1, 3)
    reports = NodeReports()
    reports.heats([("ks", TABLE, host.address, "cache", 0.0 if host is hosts[0] else 1.0) for host in hosts])
    policy = policy_over(hosts, reports=reports)
    columns = [ColumnMetadata("ks", TABLE, "k", Int32Type)]
    prepared = PreparedStatement(columns, b"id", [0], "SELECT v FROM t WHERE k = ?", "ks", 4, [], None)
    counts = collections.Counter(next(policy.make_query_plan(None, prepared.bind([i]))) for i in range(2000))
    assert counts[hosts[0]] / 2000 == pytest.approx(1 / 41, abs=0.015)  # 1 of 1 + 20 + 20, the floor being 0.05


@pytest.mark.parametrize("shuffles", [True, False])
def test_a_hot_partition_is_not_left_to_one_host(shuffles):
    hosts = grid(1, 1, 3)
    policy = policy_over(hosts, shuffle_replicas=shuffles, hot_partitions=HotPartitions(share=1 / 16, window=1024))
    chance = random.Random(2)
    firsts = []
    for _ in range(20_000):
        hot = chance.random() < 0.5
        key = b"hot" if hot else chance.randbytes(8)
        first = next(policy.make_query_plan(None, statement(key)))
        if hot:
            firsts.append(first)
    counts = collections.Counter(firsts)
    assert all(count / len(firsts) == pytest.approx(1 / 3, abs=0.04) for count in counts.values())
    assert set(counts) == set(hosts)
