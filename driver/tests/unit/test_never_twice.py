# SPDX-License-Identifier: Apache-2.0
"""A plan offers nobody twice, whatever happens between two of its hosts: every composition, every place of the cut."""

import random
from collections.abc import Callable
from itertools import islice

import pytest
from cassandra.pool import Host
from plan_shape import without_repeats
from policy_pairs import PAIRS
from topology import Ring, addresses, grid, grown, host, ring_of, statement

import isotherm_driver

PLACES = [("dc1", "r1"), ("dc1", "r3"), ("dc2", "r1"), ("dc3", "r1")]
#: Without a local datacenter to infer, the plans under cassandra-driver have no host.
OURS = {name: recipe for name, recipe in PAIRS.items() if "inferred" not in name} | {
    "RackAware, 2 remote": lambda m: m.RackAwareRoundRobinPolicy("dc1", "r1", 2),
    "TokenAware(RackAware, 2 remote), shuffled": lambda m: m.TokenAwarePolicy(
        m.RackAwareRoundRobinPolicy("dc1", "r1", 2), shuffle_replicas=True
    ),
    "HostFilter(TokenAware(RackAware, 2 remote))": lambda m: m.HostFilterPolicy(
        m.TokenAwarePolicy(m.RackAwareRoundRobinPolicy("dc1", "r1", 2)), lambda each: True
    ),
    "HostFilter(TokenAware(DCAware, 2 remote))": lambda m: m.HostFilterPolicy(
        m.TokenAwarePolicy(m.DCAwareRoundRobinPolicy("dc1", 2)), lambda each: True
    ),
}


def moves(policy, ring: Ring, each: Host, place: tuple[str, str]) -> Host:
    """As the driver tells of another location."""
    policy.on_down(each)
    each.set_location_info(*place)
    policy.on_up(each)
    return each


def moves_before_it_is_told(policy, ring: Ring, each: Host, place: tuple[str, str]) -> Host:
    """The location has changed already, and what is told first is that another host came up."""
    each.set_location_info(*place)
    policy.on_up(next(other for other in ring.hosts if other is not each))
    return each


def moves_to_another_address(policy, ring: Ring, each: Host, place: tuple[str, str]) -> Host:
    """The same object, under another endpoint, hash and location."""
    policy.on_down(each)
    ring.rename(each, int(each.address.rpartition(".")[2]) + 100)
    each.set_location_info(*place)
    policy.on_up(each)
    return each


def comes_back_as_another_object(policy, ring: Ring, each: Host, place: tuple[str, str]) -> Host:
    """The same address and host_id, after the driver had forgotten it."""
    policy.on_remove(each)
    ring.remove(each)
    back = host(int(each.address.rpartition(".")[2]), *place)
    back.host_id = each.host_id
    ring.add(back)
    policy.on_add(back)
    return back


EVENTS = [moves, moves_before_it_is_told, moves_to_another_address, comes_back_as_another_object]


def assert_nobody_twice(plan: list[Host], *context: object) -> None:
    assert len(without_repeats(plan)) == len(plan), (addresses(plan), *context)
    assert len(set(addresses(plan))) == len(plan), (addresses(plan), *context)


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", OURS)
def test_a_host_that_moves_after_its_turn(name: str, event: Callable) -> None:
    """It is offered once, also when it is listed anew before the plan gets to where it is now."""
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts, vnodes=1)
    policy = grown(OURS[name](isotherm_driver), ring, hosts)
    homes = {each.host_id: (each.datacenter, each.rack) for each in hosts}
    offered_before_the_event = 0
    for key in [None, b"a"]:
        for cut in range(1, 9):
            for turn in range(cut):
                for place in PLACES:
                    plan = iter(policy.make_query_plan(None, statement(key)))
                    taken = list(islice(plan, cut))
                    if turn >= len(taken):
                        continue
                    offered_before_the_event += 1
                    address = taken[turn].address
                    moved = event(policy, ring, taken[turn], place)
                    drained = [*taken, *plan]
                    assert len(without_repeats(drained)) == len(drained), (key, cut, address, place, drained)
                    if event is comes_back_as_another_object:
                        assert_nobody_twice(drained, key, cut, address, place)
                    if moved.address != address:
                        policy.on_down(moved)
                        ring.rename(moved, int(address.rpartition(".")[2]))
                        policy.on_up(moved)
                    moves(policy, ring, moved, homes[moved.host_id])
    assert offered_before_the_event >= 100


@pytest.mark.parametrize("name", OURS)
def test_hosts_that_move_fall_and_rise_between_any_two_turns(name: str) -> None:
    """Several events before each host, so that distances change again and again while a plan is given out."""
    source = random.Random(5)
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts, vnodes=1)
    policy = grown(OURS[name](isotherm_driver), ring, hosts)
    longest = 0
    for _ in range(150):
        plan = iter(policy.make_query_plan(None, statement(source.choice([None, source.randbytes(4)]))))
        taken = []
        while (following := next(plan, None)) is not None:
            taken.append(following)
            for each in source.sample(ring.hosts, 3):
                what = source.random()
                if what < 0.6:
                    moves(policy, ring, each, source.choice(PLACES))
                elif what < 0.8:
                    each.set_down()
                    policy.on_down(each)
                else:
                    each.set_up()
                    policy.on_up(each)
            if source.random() < 0.1:
                ring.replicate("NetworkTopologyStrategy", {"dc1": str(source.randint(1, 3)), "dc2": "2"})
            assert len(taken) <= len(hosts), addresses(taken)
        assert_nobody_twice(taken)
        longest = max(longest, len(taken))
        for each in ring.hosts:
            each.set_up()
            policy.on_up(each)
    assert longest >= 4
