# SPDX-License-Identifier: Apache-2.0
"""The policies that list hosts: whom they offer first, and settings that take effect at once."""

import re
import uuid
from threading import Lock
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest
from cassandra import policies as driver
from cassandra.policies import HostDistance
from policy_pairs import LOCAL_DC, LOCAL_RACK
from topology import IS_SCYLLA, drained, grown, host, populated, ring_of, statement

import isotherm_driver

KINDS = {
    "RoundRobin": lambda used: isotherm_driver.RoundRobinPolicy(),
    "DCAware": lambda used: isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC, used),
    "RackAware": lambda used: isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, used),
}


def listing(kind: str, used_hosts_per_remote_dc: int = 0) -> Any:
    return KINDS[kind](used_hosts_per_remote_dc)


@pytest.mark.parametrize("name", KINDS)
def test_hosts_lock_is_a_lock(name: str) -> None:
    policy = listing(name)
    assert type(policy._hosts_lock) is type(Lock())


@pytest.mark.parametrize("name", KINDS)
def test_position_is_writable_and_decides_who_is_first(name: str) -> None:
    policy = listing(name)
    hosts = [host(1), host(2), host(3)]
    grown(policy, None, hosts)
    for position in (0, 1, 2, 3, 5, 10**6, 0):
        policy._position = position
        assert policy._position == position
        plan = drained(policy)
        start = position % 3
        assert plan == [*hosts[start:], *hosts[:start]]
        assert policy._position == position + 1


def test_successive_plans_begin_one_host_later() -> None:
    hosts = [host(number) for number in range(1, 6)]
    policy = populated(isotherm_driver.RoundRobinPolicy(), None, hosts)
    firsts = [drained(policy)[0] for _ in range(10)]
    assert firsts[:5] == firsts[5:]
    assert set(firsts) == set(hosts)


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_used_hosts_per_remote_dc_is_settable_and_effective_at_once(kind: str) -> None:
    hosts = [host(1), host(2, "dc2"), host(3, "dc2"), host(4, "dc3")]
    policy = grown(listing(kind), None, hosts)
    for used, planned in [(0, 1), (1, 3), (2, 4), (9, 4), (0, 1)]:
        policy.used_hosts_per_remote_dc = used
        plan = drained(policy)
        assert len(plan) == planned
        for each in hosts:
            assert (policy.distance(each) != HostDistance.IGNORED) is (each in plan)


@pytest.mark.parametrize("module", [driver, isotherm_driver], ids=["driver", "isotherm"])
@pytest.mark.parametrize("used", [10**30, 2**63, 2, -1, -(10**30)])
def test_used_hosts_per_remote_dc_may_be_any_number(module: ModuleType, used: int) -> None:
    hosts = [host(1), *(host(number, "dc2") for number in range(2, 6))]
    policy = grown(module.DCAwareRoundRobinPolicy(LOCAL_DC, used), None, hosts)
    assert set(drained(policy)) == {hosts[0], *hosts[1:][:used]}
    for each in hosts[1:]:
        near = HostDistance.REMOTE if each in hosts[1:][:used] else HostDistance.IGNORED
        assert policy.distance(each) == near
    populated(policy, None, hosts)
    policy.used_hosts_per_remote_dc = 10**30
    assert set(drained(policy)) == set(hosts)


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
@pytest.mark.parametrize("used", ["2", 1.0, (), b"1"], ids=repr)
def test_used_hosts_per_remote_dc_that_is_no_whole_number_is_refused(kind: str, used: Any) -> None:
    """At once: it would keep the first remote host from being listed, and all that come after it."""
    refusal = f"^used_hosts_per_remote_dc is {re.escape(repr(used))}, allowed: a whole number$"
    with pytest.raises(ValueError, match=refusal):
        listing(kind, used)
    policy = listing(kind, 1)
    with pytest.raises(ValueError, match=refusal):
        policy.used_hosts_per_remote_dc = used
    hosts = [host(1), host(2, "dc2"), host(3, "dc2")]
    assert policy.used_hosts_per_remote_dc == 1
    assert len(drained(grown(policy, None, hosts))) == 2


class Four:
    def __index__(self) -> int:
        return 4


@pytest.mark.parametrize("module", [driver, isotherm_driver], ids=["driver", "isotherm"])
@pytest.mark.parametrize(("used", "planned"), [(True, 2), (Four(), 5), (None, 5)], ids=["True", "an index", "None"])
def test_used_hosts_per_remote_dc_is_what_the_drivers_can_count_to(module: ModuleType, used: Any, planned: int) -> None:
    policy = module.DCAwareRoundRobinPolicy(LOCAL_DC, used)
    grown(policy, None, [host(1), *(host(number, "dc2") for number in range(2, 6))])
    assert len(drained(policy)) == planned


class Unanswering(str):
    """A name that does not say whether it is empty."""

    def __bool__(self) -> bool:
        raise LookupError("no answer")


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_a_list_that_makes_no_table_leaves_the_one_before(kind: str) -> None:
    hosts = [host(1), host(2)]
    policy = grown(listing(kind), None, hosts)
    with pytest.raises(LookupError):
        policy._dc_live_hosts = {Unanswering(LOCAL_DC): hosts[:1]}
    assert set(drained(policy)) == set(hosts)
    policy.on_down(hosts[1])
    assert drained(policy) == [hosts[0]]


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_local_dc_is_settable_and_effective_at_once(kind: str) -> None:
    if kind == "DCAware" and IS_SCYLLA:
        set_local_dc = lambda policy, name: setattr(policy, "_local_dc", name)  # noqa: E731
    else:
        set_local_dc = lambda policy, name: setattr(policy, "local_dc", name)  # noqa: E731
    hosts = [host(1), host(2, "dc2"), host(3, "dc2")]
    policy = grown(listing(kind), None, hosts)
    assert drained(policy) == [hosts[0]]
    set_local_dc(policy, "dc2")
    assert policy.local_dc == "dc2"
    assert set(drained(policy)) == set(hosts[1:])
    assert policy.distance(hosts[0]) == HostDistance.IGNORED
    assert policy.distance(hosts[1]) != HostDistance.IGNORED


def test_local_rack_is_settable_and_effective_at_once() -> None:
    hosts = [host(1, rack="r1"), host(2, rack="r2"), host(3, rack="r3")]
    policy = grown(listing("RackAware"), None, hosts)
    assert drained(policy)[0] is hosts[0]
    policy.local_rack = "r3"
    assert all(drained(policy)[0] is hosts[2] for _ in range(5))


def test_rack_aware_plans_rack_then_datacenter_then_the_rest_under_any_driver() -> None:
    hosts = [host(1, "dc2"), host(2, rack="r2"), host(3), host(4), host(5, "dc3"), host(6, "dc3")]
    policy = grown(listing("RackAware", 1), None, hosts)
    for _ in range(12):
        plan = drained(policy)
        assert set(plan[:2]) == {hosts[2], hosts[3]}
        assert plan[2] is hosts[1]
        assert set(plan[3:]) == {hosts[0], hosts[4]}


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
@pytest.mark.parametrize("is_wrapped", [False, True], ids=["itself", "as a child"])
def test_without_a_live_local_host_one_remote_datacenter_takes_over_and_its_hosts_take_turns(
    kind: str, is_wrapped: bool
) -> None:
    hosts = [host(1), *(host(number, f"dc{number % 2 + 2}") for number in range(2, 8))]
    ring = ring_of(hosts, factor=1)
    ring.replicate("NetworkTopologyStrategy", {LOCAL_DC: "1"})
    policy = listing(kind, 2)
    policy = grown(isotherm_driver.TokenAwarePolicy(policy) if is_wrapped else policy, ring, hosts)
    hosts[0].set_down()
    policy.on_down(hosts[0])
    plans = [drained(policy, statement(b"key")) for _ in range(30)]
    for plan in plans:
        assert [each.datacenter for each in plan] == ["dc2", "dc2", "dc3", "dc3"]
        assert len(set(plan)) == 4
    for place in (0, 2):
        assert len({plan[place] for plan in plans}) == 2


def test_a_plan_that_has_begun_with_remote_hosts_goes_on_as_the_datacenters_were() -> None:
    hosts = [host(2, "dc2"), host(3, "dc3"), host(4, "dc4")]
    policy = grown(listing("DCAware", 2), None, hosts)
    plan = iter(policy.make_query_plan())
    assert next(plan) is hosts[0]
    policy.on_down(hosts[0])
    policy.on_up(host(5, "dc5"))
    assert list(plan) == hosts[1:]
    policy.on_up(host(1))
    assert list(plan) == []


def test_local_dc_is_inferred_from_the_first_host_up() -> None:
    cluster = Mock(metadata=Mock(), endpoints_resolved=[host(1).endpoint])
    for event in ("on_up", "on_add"):
        policy = isotherm_driver.DCAwareRoundRobinPolicy()
        policy.populate(cluster, [])
        assert not policy.local_dc
        getattr(policy, event)(host(1, "dc7"))
        assert policy.local_dc == "dc7"
        getattr(policy, event)(host(2, "dc8"))
        assert policy.local_dc == "dc7"
        assert policy.distance(host(2, "dc8")) == HostDistance.IGNORED


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_distance_reads_where_the_host_is_now(kind: str) -> None:
    policy = grown(listing(kind), None, [moving := host(1)])
    near = policy.distance(moving)
    assert near != HostDistance.IGNORED
    moving.set_location_info("dc2", "r1")
    assert policy.distance(moving) == HostDistance.IGNORED
    moving.set_location_info(LOCAL_DC, "r9")
    assert policy.distance(moving) == HostDistance.LOCAL


def another_node_at(number: int, rack: str = LOCAL_RACK) -> Any:
    """Return a host with the address of host(number) and another host_id."""
    new = host(number, rack=rack)
    new.host_id = uuid.UUID(int=number + 100)
    return new


@pytest.mark.parametrize("name", KINDS)
def test_a_host_that_is_out_of_date_does_not_displace_the_node_that_has_its_address(name: str) -> None:
    policy = listing(name)
    old, new = host(2), another_node_at(2)
    grown(policy, None, [host(1), old, host(3)])
    policy.on_add(new)
    policy._position = 0
    assert [each is new for each in drained(policy)] == [False, True, False]
    policy.on_up(old)
    assert sum(each is new for each in drained(policy)) == 1
    assert len(drained(policy)) == 3
    for event in (policy.on_down, policy.on_remove):
        event(old)
        assert any(each is new for each in drained(policy))
    policy.on_remove(new)
    assert {each.address for each in drained(policy)} == {"10.0.0.1", "10.0.0.3"}


@pytest.mark.parametrize("rack", [LOCAL_RACK, "r2"])
@pytest.mark.parametrize("name", KINDS)
def test_a_node_that_has_changed_its_address_displaces_a_host_that_is_out_of_date(name: str, rack: str) -> None:
    cluster, policy = Mock(), listing(name)
    old, moved = host(2), another_node_at(2, rack)
    cluster.metadata.get_host_by_host_id = {moved.host_id: moved}.get
    grown(policy, cluster, [host(1), old, host(3)])
    policy.on_down(moved)
    policy.on_up(moved)
    assert [each is moved for each in drained(policy) if each.address == "10.0.0.2"] == [True]
    policy.on_up(old)
    assert [each is moved for each in drained(policy) if each.address == "10.0.0.2"] == [True]
    policy.on_down(moved)
    assert {each.address for each in drained(policy)} == {"10.0.0.1", "10.0.0.3"}


def test_a_host_that_is_out_of_date_is_listed_in_no_other_rack_either() -> None:
    old, new = host(1), another_node_at(1, "r2")
    policy = grown(listing("RackAware"), None, [new])
    policy.on_up(old)
    assert [each is new for each in drained(policy)] == [True]


@pytest.mark.parametrize("name", KINDS)
def test_another_object_of_the_same_node_takes_its_place(name: str) -> None:
    policy = grown(listing(name), None, [host(1), host(2), host(3)])
    policy.on_up(same := host(2))
    policy._position = 0
    assert [each is same for each in drained(policy)] == [False, True, False]


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_a_new_node_goes_through_a_subclasss_on_up_to_the_place_of_another_one_with_its_address(kind: str) -> None:
    base = type(listing(kind))
    told: list[Any] = []

    class Told(base):  # type: ignore[misc, valid-type]
        def on_up(self, host: Any) -> None:
            told.append(host)
            super().on_up(host)

    policy = Told(*(LOCAL_DC, LOCAL_RACK)[: 2 if kind == "RackAware" else 1])
    old, new = host(1), another_node_at(1)
    for each in (old, new):
        policy.on_add(each)
    policy.on_up(old)
    assert [each is known for each, known in zip(told, (old, new, old), strict=True)] == [True] * 3
    assert [each is new for each in drained(policy)] == [True]


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_local_hosts_are_bound_at_the_first_next_and_remote_ones_when_reached(kind: str) -> None:
    near, far = [host(1), host(2)], [host(3, "dc2"), host(4, "dc2")]
    policy = grown(listing(kind, 2), None, [near[0], far[0]])
    plan = iter(policy.make_query_plan())
    policy.on_up(near[1])
    first = next(plan)
    policy.on_down(near[1])
    policy.on_up(far[1])
    policy.on_down(far[0])
    assert [first, next(plan)] in (near, near[::-1])
    assert list(plan) == [far[1]]
