# SPDX-License-Identifier: Apache-2.0
"""What happens in the middle of a plan reaches its rest as it does with the driver's own policies."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from cassandra import policies as driver
from cassandra.pool import Host
from plan_shape import same_hosts, without_repeats
from policy_pairs import PAIRS
from topology import IS_SCYLLA, Ring, grid, grown, host, ring_of, statement

import isotherm_driver

#: Under a set's order both sides begin with hosts of their own choice; what is left then differs by chance.
NAMES = [name for name in PAIRS if "RoundRobin" not in name and "WhiteList" not in name and "inferred" not in name]


def falls(each: Host, tell: Callable) -> None:
    each.set_down()
    tell("on_down", each)


def rises(each: Host, tell: Callable) -> None:
    each.set_up()
    tell("on_up", each)


def falls_unannounced(each: Host, tell: Callable) -> None:
    each.set_down()


def is_removed(each: Host, tell: Callable) -> None:
    each.set_down()
    tell("on_remove", each)


def moves_away(each: Host, tell: Callable) -> None:
    tell("on_down", each)
    each.set_location_info("dc3", "r1")
    tell("on_up", each)


def moves_to_another_rack(each: Host, tell: Callable) -> None:
    tell("on_down", each)
    each.set_location_info(each.datacenter, "r3")
    tell("on_up", each)


EVENTS = [falls, falls_unannounced, is_removed, moves_away, moves_to_another_rack]


class Lockstep:
    """A plan of the driver's and one of ours, begun together with the same host."""

    def __init__(self, name: str, key: bytes | None):
        self.hosts = grid(2, 3, 2)
        self.ring: Ring = ring_of(self.hosts, vnodes=1)
        self.sides = [grown(PAIRS[name](module), self.ring, self.hosts) for module in (driver, isotherm_driver)]
        query = statement(key)
        self.plans: list[Any] = []
        for side in self.sides:
            innermost = side
            while hasattr(innermost, "_child_policy"):
                innermost = innermost._child_policy
            innermost._position = 0
            self.plans.append(iter(side.make_query_plan(None, query)))
        self.taken = [[next(plan)] for plan in self.plans]

    def tell(self, event: str, each: Host) -> None:
        for side in self.sides:
            getattr(side, event)(each)

    def rest(self) -> tuple[list[Host], list[Host]]:
        """Drain both plans; where the driver's offers a host again that has moved on, ours must not."""
        theirs, ours = ([*taken, *plan] for taken, plan in zip(self.taken, self.plans, strict=True))
        return without_repeats(theirs), ours


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", NAMES)
def test_an_event_after_the_first_host(name: str, event: Callable) -> None:
    for key in [None, b"a"]:
        for number in range(12):
            both = Lockstep(name, key)
            chosen = both.hosts[number]
            if any(chosen is each for taken in both.taken for each in taken):
                continue
            event(chosen, both.tell)
            theirs, ours = both.rest()
            assert same_hosts(theirs, ours), (key, chosen, theirs, ours)


@pytest.mark.parametrize("name", NAMES)
def test_a_host_that_comes_after_the_first_one(name: str) -> None:
    for dc in ("dc1", "dc2", "dc3"):
        both = Lockstep(name, b"a")
        both.tell("on_add", host(41, dc, "r2"))
        theirs, ours = both.rest()
        assert same_hosts(theirs, ours), (dc, theirs, ours)


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver does not look again at hosts that are no replicas")
def test_a_storm_in_the_middle_of_many_plans() -> None:
    """Many events between many hosts: ours never offers a host that the driver has marked down meanwhile."""
    source = random.Random(3)
    for _ in range(300):
        both = Lockstep("TokenAware(RackAware, 2 remote)", source.randbytes(4))
        plan = both.plans[1]
        while True:
            for each in source.sample(both.hosts, 2):
                (falls if source.random() < 0.5 else rises)(each, both.tell)
            following = next(plan, None)
            if following is None:
                break
            assert following.is_up is not False
            both.taken[1].append(following)
        assert len(set(both.taken[1])) == len(both.taken[1])
