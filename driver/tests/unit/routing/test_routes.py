# SPDX-License-Identifier: Apache-2.0
"""A keyspace's route is made once for each state of the token map, by whichever thread comes first."""

import threading
import time

import pytest
from cassandra import policies as driver
from policy_pairs import LOCAL_DC
from topology import KEYSPACE, Ring, drained, grid, host, populated, ring_of, statement

import isotherm_driver


class Replicas(dict):
    """A keyspace's part of the token map, which counts the rings that are made from it and takes its time."""

    rings = 0

    def items(self):
        self.rings += 1
        time.sleep(0.02)  # the other threads come to wait
        return super().items()


def counted(ring: Ring) -> Replicas:
    """Have the present token map count the rings that are made from it."""
    token_map = ring.metadata.token_map
    token_map.rebuild_keyspace(KEYSPACE, build_if_absent=True)
    replicas = token_map.tokens_to_hosts_by_ks[KEYSPACE] = Replicas(token_map.tokens_to_hosts_by_ks[KEYSPACE])
    return replicas


def token_aware(ring: Ring):
    policy = isotherm_driver.TokenAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC))
    return populated(policy, ring, ring.hosts)


def plan_at_once(policy, threads: int = 8) -> None:
    """Have threads make a plan each at the same time."""
    started = threading.Barrier(threads)

    def plan() -> None:
        started.wait()
        drained(policy, statement(b"key"))

    planning = [threading.Thread(target=plan) for _ in range(threads)]
    for each in planning:
        each.start()
    for each in planning:
        each.join()


def test_threads_that_wait_for_a_route_take_it() -> None:
    ring = ring_of(grid(1, 1, 5))
    policy = token_aware(ring)
    first = counted(ring)
    plan_at_once(policy)
    assert first.rings == 1
    ring.rebuild()
    second = counted(ring)
    plan_at_once(policy)
    assert (first.rings, second.rings) == (1, 1)


def test_a_host_that_comes_makes_no_ring_anew() -> None:
    ring = ring_of(grid(1, 1, 5))
    policy = token_aware(ring)
    replicas = counted(ring)
    drained(policy, statement(b"key"))
    policy.on_add(host(6))
    assert len(drained(policy, statement(b"key"))) == 6
    assert replicas.rings == 1


def test_a_plan_begun_with_the_token_map_before_leaves_the_newer_routes() -> None:
    ring = ring_of(grid(1, 1, 5), vnodes=16)
    policy = token_aware(ring)
    before = ring.metadata.token_map
    newer = []

    def overtaken(keyspace: str, build_if_absent: bool = False) -> None:
        """Build the keyspace so slowly that there is another token map, and a plan by that, at the end."""
        type(before).rebuild_keyspace(before, keyspace, build_if_absent)
        ring._tokens = dict(zip(ring._tokens, reversed(ring._tokens.values()), strict=True))
        ring.rebuild()
        newer.append(counted(ring))
        drained(policy, statement(b"another key"))

    before.rebuild_keyspace = overtaken
    first, second = (set(drained(policy, statement(b"key"))[:3]) for _ in range(2))
    assert [each.rings for each in newer] == [1]
    assert first == second == set(ring.replicas(b"key"))


class Unreadable(dict):
    """A keyspace's part of the token map in which the driver looks up what this package cannot read."""

    def items(self):
        raise LookupError("not as known")


def test_the_driver_plans_for_a_while_after_a_failure_and_as_short_as_at_first_after_plans_that_succeeded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = driver.TokenAwarePolicy.make_query_plan
    by_the_driver = []

    def counted(*arguments):
        by_the_driver.append(arguments)
        return made(*arguments)

    monkeypatch.setattr(driver.TokenAwarePolicy, "make_query_plan", counted)
    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    policy = token_aware(ring)
    ring.metadata.token_map.rebuild_keyspace(KEYSPACE, build_if_absent=True)
    by_keyspace = ring.metadata.token_map.tokens_to_hosts_by_ks

    def drivers_plans(plans: int) -> int:
        before = len(by_the_driver)
        for _ in range(plans):
            assert set(drained(policy, statement(b"key"))) == set(hosts)
        return len(by_the_driver) - before

    for _ in range(2):
        known, by_keyspace[KEYSPACE] = by_keyspace[KEYSPACE], Unreadable(by_keyspace[KEYSPACE])
        assert drivers_plans(12) == 12
        by_keyspace[KEYSPACE] = known
        rest = drivers_plans(20)
        assert 0 < rest < 20
        assert drivers_plans(5) == 0
    by_keyspace[KEYSPACE] = Unreadable(known)
    assert drivers_plans(1) == 1
    by_keyspace[KEYSPACE] = known
    assert drivers_plans(5) == 0
