# SPDX-License-Identifier: Apache-2.0
"""Plans and table swaps leave nothing behind: no reference, no memory, no cycle that keeps a removed host alive."""

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable

import pytest
from policy_pairs import PAIRS
from test_threads import POLICIES
from topology import drained, grid, host, populated, ring_of, statement

import isotherm_driver
from isotherm_driver.queue_aware import QueueAwarePolicy

PLANS = 100_000
#: What the interpreter itself may gain or free between two measurements; one byte a plan would be more.
SLACK_BYTES = 50_000


def growth(work: Callable[[int], None], times: int) -> int:
    """Return how many bytes stay allocated after doing the work that often, once it is warm."""
    for turn in range(200):
        work(turn)
    tracemalloc.start()
    try:
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for turn in range(times):
            work(turn)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", POLICIES)
def test_a_hundred_thousand_plans_leave_nothing(name: str) -> None:
    hosts = grid(2, 3, 2)
    policy = populated(POLICIES[name](isotherm_driver), ring_of(hosts), hosts)
    queries = [None, *(statement(bytes([key])) for key in range(16)), statement(b"x", lwt=True)]

    def some_plan(turn: int) -> None:
        plan = iter(policy.make_query_plan(None, queries[turn % len(queries)]))
        if turn % 3 == 0:
            list(plan)
        elif turn % 3 == 1:
            next(plan)

    for turn in range(200):
        some_plan(turn)
    counted = [*hosts, *queries[1:], policy]
    gc.collect()
    before = [sys.getrefcount(each) for each in counted]
    assert growth(some_plan, PLANS) < SLACK_BYTES
    assert [sys.getrefcount(each) for each in counted] == before


@pytest.mark.parametrize("name", POLICIES)
def test_swapping_the_tables_leaves_nothing(name: str) -> None:
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts)
    policy = populated(POLICIES[name](isotherm_driver), ring, hosts)
    query = statement(b"key")

    def swap(turn: int) -> None:
        each = hosts[turn % len(hosts)]
        half_drained = iter(policy.make_query_plan(None, query))
        next(half_drained)
        policy.on_down(each)
        drained(policy, query)
        policy.on_up(each)
        if turn % 20 == 0:
            ring.rebuild()
        list(half_drained)

    assert growth(swap, 2_000) < SLACK_BYTES


def test_old_token_maps_are_let_go() -> None:
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts)
    policy = populated(POLICIES["TokenAware(DCAware)"](isotherm_driver), ring, hosts)
    drained(policy, statement(b"key"))
    old = weakref.ref(ring.metadata.token_map)
    ring.rebuild()
    drained(policy, statement(b"key"))
    gc.collect()
    assert old() is None


def test_dropped_keyspaces_are_let_go() -> None:
    hosts = grid(1, 3, 2)
    ring = ring_of(hosts)
    policy = populated(POLICIES["TokenAware(DCAware)"](isotherm_driver), ring, hosts)
    by_keyspace = ring.metadata.token_map.tokens_to_hosts_by_ks
    maps = []
    for number in range(50):
        name = f"tenant_{number}"
        ring.replicate("SimpleStrategy", {"replication_factor": "2"}, name)
        assert set(drained(policy, statement(b"key", name))[:2]) == set(ring.replicas(b"key", name))
        maps.append(by_keyspace[name])
        ring.metadata._drop_keyspace(name)
    gc.collect()
    of_the_list_alone = [{}]
    alone = sys.getrefcount(of_the_list_alone[0])
    # The last one is let go when another keyspace is read.
    assert sum(sys.getrefcount(maps[at]) > alone for at in range(50)) <= 1


@pytest.mark.parametrize("name", PAIRS)
def test_a_removed_host_is_let_go(name: str) -> None:
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts)
    policy = populated(PAIRS[name](isotherm_driver), ring, hosts)
    gone = host(77)
    ring.add(gone)
    policy.on_add(gone)
    for key in range(32):
        drained(policy, statement(bytes([key])))
    ring.remove(gone)
    policy.on_remove(gone)
    for key in range(32):
        drained(policy, statement(bytes([key])))
    watched = weakref.ref(gone)
    del gone
    gc.collect()
    assert watched() is None


def test_pods_with_new_addresses_do_not_gather_in_a_queue_aware_policy() -> None:
    hosts = grid(1, 1, 3)
    ring = ring_of(hosts)
    policy = populated(QueueAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy("dc1")), ring, hosts)
    watched = []
    for number in range(4, 154):
        came = host(number)
        ring.add(came)
        policy.on_add(came)
        for key in range(16):
            drained(policy, statement(bytes([key])))
        ring.remove(came)
        policy.on_remove(came)
        watched.append(weakref.ref(came))
    del came
    drained(policy, statement(b"key"))
    gc.collect()
    assert policy.failures == 0
    assert sum(each() is not None for each in watched) <= 2 * len(hosts) + 10


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_is_let_go_with_its_half_drained_plan(name: str) -> None:
    hosts = grid(1, 3, 2)
    policy = populated(POLICIES[name](isotherm_driver), ring_of(hosts), hosts)
    plan = iter(policy.make_query_plan(None, statement(b"key")))
    next(plan)
    watched = weakref.ref(policy)
    policy.itself = policy  # a cycle that only the garbage collector ends
    del policy, plan
    gc.collect()
    assert watched() is None
