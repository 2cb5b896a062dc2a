# SPDX-License-Identifier: Apache-2.0
"""Each fault of the drivers' policies: first shown on the installed driver, if it has it, then absent in ours."""

from collections import Counter
from types import ModuleType
from typing import Any

import pytest
from cassandra import policies as driver
from cassandra.connection import DefaultEndPoint
from policy_pairs import LOCAL_DC, LOCAL_RACK
from topology import DRIVER, IS_SCYLLA, Ring, drained, grid, grown, host, populated, ring_of, statement

import isotherm_driver

SIDES = pytest.mark.parametrize("ours", [False, True], ids=["driver", "isotherm"])
KEYS = [str(number).encode() for number in range(64)]


def side(ours: bool) -> ModuleType:
    """Return the module whose policies are looked at."""
    return isotherm_driver if ours else driver


def needs_racks(ours: bool) -> None:
    """Skip on the driver's side where the driver has no rack-aware policy."""
    if not ours and not IS_SCYLLA:
        pytest.skip(f"{DRIVER} has no RackAwareRoundRobinPolicy")


def rack_aware(ours: bool, used_hosts_per_remote_dc: int = 0) -> Any:
    needs_racks(ours)
    return side(ours).RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, used_hosts_per_remote_dc)


def dc_aware(ours: bool, used_hosts_per_remote_dc: int = 0) -> Any:
    return side(ours).DCAwareRoundRobinPolicy(LOCAL_DC, used_hosts_per_remote_dc)


def lists_of(ring: Ring) -> dict:
    """Return a copy of the replica lists that the token map holds."""
    return {token: list(hosts) for token, hosts in ring.metadata.token_map.tokens_to_hosts_by_ks["ks"].items()}


@SIDES
def test_shuffling_leaves_the_token_maps_own_lists_alone(ours: bool) -> None:
    hosts = grid(1, 3, 3)
    ring = ring_of(hosts)
    policy = populated(side(ours).TokenAwarePolicy(dc_aware(ours), shuffle_replicas=True), ring, hosts)
    ring.replicas(KEYS[0])
    before = lists_of(ring)
    for key in KEYS:
        drained(policy, statement(key))
    assert (lists_of(ring) == before) is ours


def test_nor_does_a_plan_over_another_packages_policy_touch_them() -> None:
    hosts = grid(1, 3, 3)
    ring = ring_of(hosts)
    policy = populated(isotherm_driver.TokenAwarePolicy(dc_aware(ours=False), shuffle_replicas=True), ring, hosts)
    ring.replicas(KEYS[0])
    before = lists_of(ring)
    firsts = set()
    for _ in range(60):
        firsts.add(drained(policy, statement(KEYS[0]))[0])
        assert lists_of(ring) == before
    assert len(firsts) > 1


@SIDES
def test_lwt_plans_keep_their_order_while_others_are_shuffled(ours: bool) -> None:
    if not IS_SCYLLA and not ours:
        pytest.skip(f"{DRIVER} does not tell LWT statements from others")
    hosts = grid(1, 3, 3)
    ring = ring_of(hosts)
    policy = populated(side(ours).TokenAwarePolicy(dc_aware(ours), shuffle_replicas=True), ring, hosts)
    before = {key: drained(policy, statement(key, lwt=True))[:3] for key in KEYS}
    for key in KEYS:
        drained(policy, statement(key))
    after = {key: drained(policy, statement(key, lwt=True))[:3] for key in KEYS}
    assert (after == before) is ours
    if ours:
        assert before == {key: ring.replicas(key) for key in KEYS}


@SIDES
@pytest.mark.parametrize("is_replica", [True, False])
def test_a_host_of_unknown_state_is_planned(ours: bool, is_replica: bool) -> None:
    if not IS_SCYLLA and not is_replica and not ours:
        pytest.skip(f"{DRIVER} loses a host of unknown state only where it is a replica")
    hosts = grid(1, 3, 2)
    ring = ring_of(hosts, factor=2)
    policy = populated(side(ours).TokenAwarePolicy(dc_aware(ours), shuffle_replicas=False), ring, hosts)
    unknown = next(each for each in hosts if (each in ring.replicas(KEYS[0])) is is_replica)
    unknown.is_up = None
    assert drained(policy, statement(KEYS[0])).count(unknown) == (1 if ours else 0)


@SIDES
def test_a_host_without_a_rack_is_planned_once(ours: bool) -> None:
    hosts = [host(1), host(2, rack=None), host(3, rack="r2")]
    policy = populated(rack_aware(ours), None, hosts)
    assert drained(policy).count(hosts[1]) == (1 if ours else 2)


@SIDES
@pytest.mark.parametrize("event", ["on_down", "on_remove"])
def test_a_host_whose_endpoint_changed_before_it_fell_is_gone(ours: bool, event: str) -> None:
    hosts = [host(number) for number in range(1, 41)]
    policy = populated(side(ours).RoundRobinPolicy(), None, hosts)
    for each in hosts[:20]:
        each.endpoint = DefaultEndPoint(each.address.replace("10.", "11.", 1))
        getattr(policy, event)(each)
    left = drained(policy)
    if ours:
        assert sorted(map(id, left)) == sorted(map(id, hosts[20:]))
    else:
        assert len(left) > 20


@pytest.mark.parametrize("event", ["on_down", "on_remove"])
@pytest.mark.parametrize("name", ["DCAware", "RackAware", "WhiteList"])
def test_a_host_whose_endpoint_changed_is_gone_from_every_policy(name: str, event: str) -> None:
    policy = {
        "DCAware": lambda: isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC),
        "RackAware": lambda: isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK),
        "WhiteList": lambda: isotherm_driver.WhiteListRoundRobinPolicy([f"10.0.0.{last}" for last in (1, 2, 3)]),
    }[name]()
    hosts = [host(1), host(2), host(3)]
    populated(policy, None, hosts)
    hosts[0].endpoint = DefaultEndPoint("11.0.0.1")
    getattr(policy, event)(hosts[0])
    assert sorted(map(id, drained(policy))) == sorted(map(id, hosts[1:]))


@SIDES
@pytest.mark.parametrize("make", [dc_aware, rack_aware])
def test_a_host_that_moved_unannounced_before_it_fell_is_gone(ours: bool, make: Any) -> None:
    hosts = [host(1), host(2)]
    policy = populated(make(ours, 1), None, hosts)
    hosts[0].set_location_info("dc2", "r1")
    policy.on_down(hosts[0])
    assert drained(policy).count(hosts[0]) == (0 if ours else 1)


@SIDES
@pytest.mark.parametrize("make", [dc_aware, rack_aware])
@pytest.mark.parametrize("used", [1, 2])
def test_remote_hosts_take_turns_when_no_local_one_is_left(ours: bool, make: Any, used: int) -> None:
    hosts = [host(number, f"dc{number % 3 + 1}") for number in range(1, 13)]
    policy = grown(make(ours, used), None, hosts)
    for each in hosts:
        if each.datacenter == LOCAL_DC:
            policy.on_down(each)
    plans = [drained(policy) for _ in range(60 * used)]
    assert {len(plan) for plan in plans} == {2 * used}
    firsts = Counter(plan[0] for plan in plans)
    if ours:
        assert list(firsts.values()) == [60] * used
    else:
        assert len(firsts) == 1


@SIDES
@pytest.mark.parametrize("make", [dc_aware, rack_aware])
def test_a_second_populate_forgets_the_hosts_of_the_first(ours: bool, make: Any) -> None:
    hosts = [host(1), host(2), host(3, "dc2")]
    policy = populated(make(ours, 1), None, hosts)
    populated(policy, None, hosts[:1])
    gone = [each for each in drained(policy) if each is not hosts[0]]
    assert (gone == []) is ours


@SIDES
@pytest.mark.parametrize("make", [dc_aware, rack_aware])
def test_populate_takes_hosts_in_any_order(ours: bool, make: Any) -> None:
    """cassandra-driver keeps only the last hosts of a datacenter whose hosts do not stand together."""
    hosts = [host(1), host(2, "dc2"), host(3), host(4, "dc2"), host(5)]
    policy = populated(make(ours, 5), None, hosts)
    complete = sorted(map(id, drained(policy))) == sorted(map(id, hosts))
    assert complete is (ours or IS_SCYLLA)
