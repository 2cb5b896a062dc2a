# SPDX-License-Identifier: Apache-2.0
"""Shuffled replicas: fairly, near ones first, never for LWT, and by nobody's random numbers but our own."""

import math
import random
from collections import Counter
from itertools import permutations

import pytest
from cassandra import ConsistencyLevel
from cassandra import policies as driver
from cassandra.query import PreparedStatement
from policy_pairs import LOCAL_DC, LOCAL_RACK
from topology import IS_SCYLLA, drained, grid, populated, ring_of, statement

import isotherm_driver

DRAWS = 24_000
#: Exceeded once in a million runs when every outcome is equally likely.
ALPHA = 1e-6


def chi_square_limit(degrees: int) -> float:
    """Return what a chi-square exceeds with probability ALPHA, by Wilson and Hilferty (within 1 % here)."""
    z = 4.7534
    return degrees * (1 - 2 / (9 * degrees) + z * math.sqrt(2 / (9 * degrees))) ** 3


def chi_square(counts: Counter, outcomes: int) -> float:
    """Return how far the counts are from equal ones."""
    expected = counts.total() / outcomes
    missing = outcomes - len(counts)
    return sum((count - expected) ** 2 / expected for count in counts.values()) + missing * expected


def token_aware(hosts, ring, child=None, **more):
    child = child or isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC)
    return populated(isotherm_driver.TokenAwarePolicy(child, **more), ring, hosts)


def test_every_order_of_the_replicas_comes_equally_often() -> None:
    hosts = grid(1, 3, 2)
    ring = ring_of(hosts)
    policy = token_aware(hosts, ring, shuffle_replicas=True)
    query = statement(b"key")
    orders = Counter(tuple(each.address for each in drained(policy, query)[:3]) for _ in range(DRAWS))
    assert set(orders) == set(permutations(each.address for each in ring.replicas(b"key")))
    assert chi_square(orders, 6) < chi_square_limit(5)


@pytest.mark.parametrize("factor", [2, 3, 5, 9])
def test_every_replica_is_first_equally_often(factor: int) -> None:
    hosts = grid(1, 3, 3)
    policy = token_aware(hosts, ring_of(hosts, factor=factor), shuffle_replicas=True)
    query = statement(b"key")
    firsts = Counter(next(iter(policy.make_query_plan(None, query))).address for _ in range(DRAWS))
    assert chi_square(firsts, factor) < chi_square_limit(factor - 1)


def test_orders_of_successive_plans_are_independent() -> None:
    hosts = grid(1, 3, 1)
    policy = token_aware(hosts, ring_of(hosts), shuffle_replicas=True)
    query = statement(b"key")
    firsts = [next(iter(policy.make_query_plan(None, query))).address for _ in range(DRAWS)]
    assert chi_square(Counter(zip(firsts[::2], firsts[1::2], strict=True)), 9) < chi_square_limit(8)


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver knows no racks, and prefers local replicas only")
def test_shuffling_stays_within_one_distance() -> None:
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts)
    child = isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, 9)
    policy = token_aware(hosts, ring, child, shuffle_replicas=True)
    for number in range(200):
        plan = drained(policy, statement(bytes([number])))
        replicas = plan[:6]
        assert set(replicas) == set(ring.replicas(bytes([number])))
        distances = [policy.distance(each) for each in replicas]
        assert distances == sorted(distances)
        assert sorted(set(plan), key=str) == sorted(hosts, key=str)


def test_shuffling_is_as_the_driver_has_it_by_default() -> None:
    ours = isotherm_driver.TokenAwarePolicy(isotherm_driver.RoundRobinPolicy())
    theirs = driver.TokenAwarePolicy(driver.RoundRobinPolicy())
    assert ours.shuffle_replicas is theirs.shuffle_replicas is IS_SCYLLA


def test_shuffle_replicas_is_settable_and_effective_at_once() -> None:
    hosts = grid(1, 3, 3)
    ring = ring_of(hosts)
    policy = token_aware(hosts, ring, shuffle_replicas=True)
    query = statement(b"key")
    policy.shuffle_replicas = False
    assert all(drained(policy, query)[:3] == ring.replicas(b"key") for _ in range(50))
    policy.shuffle_replicas = True
    assert any(drained(policy, query)[:3] != ring.replicas(b"key") for _ in range(50))


def test_the_programs_own_random_numbers_are_left_alone() -> None:
    hosts = grid(1, 3, 3)
    policy = token_aware(hosts, ring_of(hosts), shuffle_replicas=True)
    random.seed(5)
    expected = [random.random() for _ in range(3)]
    random.seed(5)
    drained(policy, statement(b"key"))
    assert [random.random() for _ in range(3)] == expected


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver does not tell LWT statements from others")
@pytest.mark.parametrize("level", [None, ConsistencyLevel.QUORUM])
def test_a_prepared_lwt_keeps_ring_order(level: int | None) -> None:
    hosts = grid(1, 3, 3)
    ring = ring_of(hosts)
    policy = token_aware(hosts, ring, shuffle_replicas=True)
    prepared = PreparedStatement([], b"id", [0], "INSERT", "ks", 4, [], None, is_lwt=True)
    prepared.consistency_level = level
    for number in range(50):
        bound = prepared.bind([])
        bound._routing_key = bytes([number])
        bound.table = "t"
        assert drained(policy, bound, "ks")[:3] == ring.replicas(bytes([number]))


@pytest.mark.parametrize("level", [ConsistencyLevel.SERIAL, ConsistencyLevel.LOCAL_SERIAL])
def test_serial_reads_keep_ring_order(level: int) -> None:
    hosts = grid(1, 3, 3)
    ring = ring_of(hosts)
    policy = token_aware(hosts, ring, shuffle_replicas=True)
    for number in range(50):
        query = statement(bytes([number]), consistency_level=level)
        assert drained(policy, query)[:3] == ring.replicas(bytes([number]))
