# SPDX-License-Identifier: Apache-2.0
"""Tablets of scylla-driver: their replicas first, found as the driver finds them, and the Raft leader of all."""

import gc
import random
import uuid
import weakref
from typing import Any

import pytest
from topology import IS_SCYLLA, KEYSPACE, TABLE, Ring, drained, grid, grown, ring_of, statement

import isotherm_driver

if not IS_SCYLLA:
    pytest.skip("cassandra-driver has no tablets", allow_module_level=True)

from cassandra import ConsistencyLevel
from cassandra import policies as driver
from cassandra.metadata import Murmur3Token, _ConsistencyMode
from cassandra.pool import Host
from cassandra.tablets import Tablet

CHILDREN = {
    "RoundRobin": lambda m: m.RoundRobinPolicy(),
    "DCAware": lambda m: m.DCAwareRoundRobinPolicy("dc1"),
    "DCAware, 2 remote": lambda m: m.DCAwareRoundRobinPolicy("dc1", 2),
    "RackAware": lambda m: m.RackAwareRoundRobinPolicy("dc1", "r1", 2),
    "HostFilter": lambda m: m.HostFilterPolicy(m.DCAwareRoundRobinPolicy("dc1"), lambda each: each.rack != "r3"),
}
KEYS = [number.to_bytes(2, "big") for number in range(120)]


def token(key: bytes) -> int:
    return Murmur3Token.from_key(key).value


class Sides:
    """The driver's policy and ours over the same hosts, ring and tablets, without shuffling unless asked for."""

    def __init__(self, child: str = "DCAware, 2 remote", **more: Any):
        self.hosts = grid(2, 3, 2)
        self.ring: Ring = ring_of(self.hosts)
        more = {"shuffle_replicas": False} | more
        self.theirs = grown(driver.TokenAwarePolicy(CHILDREN[child](driver), **more), self.ring, self.hosts)
        self.ours = grown(
            isotherm_driver.TokenAwarePolicy(CHILDREN[child](isotherm_driver), **more), self.ring, self.hosts
        )

    def add(self, first: int, last: int, hosts: list[Host], version: int | None = None) -> None:
        replicas = [(each.host_id, 0) for each in hosts]
        self.ring.metadata._tablets.add_tablet(KEYSPACE, TABLE, Tablet(first, last, replicas, version))

    def cover(self, count: int = 16, version: int | None = None) -> None:
        """Cover the whole ring with tablets of three replicas each."""
        source = random.Random(count)
        step = 2**64 // count
        for number in range(count):
            first = -(2**63) + number * step
            self.add(first, first + step - (number == count - 1), source.sample(self.hosts, 3), version)

    def owners(self, key: bytes) -> set[Host]:
        tablet = self.ring.metadata._tablets.get_tablet_for_key(KEYSPACE, TABLE, Murmur3Token.from_key(key))
        if tablet is None:
            return set(self.ring.replicas(key))
        ids = {host_id for host_id, _ in tablet.replicas}
        return {each for each in self.hosts if each.host_id in ids}

    def check(self, key: bytes, **more: Any) -> list[Host]:
        """Ours and theirs: owners in the same places at the same distances, then the same others."""
        query = statement(key, **more)
        ours, theirs = drained(self.ours, query), drained(self.theirs, query)
        owners = self.owners(key)

        def qualities(plan: list[Host]) -> list[tuple]:
            return [(each in owners, self.theirs.distance(each)) for each in plan]

        assert qualities(ours) == qualities(theirs)
        assert sorted(map(id, ours)) == sorted(map(id, theirs))
        return ours


@pytest.mark.parametrize("child", CHILDREN)
def test_replicas_of_the_tablet_come_first(child: str) -> None:
    sides = Sides(child)
    sides.cover()
    different = 0
    for key in KEYS:
        sides.check(key)
        different += sides.owners(key) != set(sides.ring.replicas(key))
    assert different > 100


def test_keys_between_tablets_use_the_ring() -> None:
    sides = Sides()
    sides.add(0, 2**62, sides.hosts[:2])
    for key in KEYS:
        plan = sides.check(key)
        if 0 < token(key) <= 2**62:
            assert set(plan[:2]) == set(sides.hosts[:2])


def test_the_borders_of_a_tablet() -> None:
    """The first token is not part of it, the last one is."""
    for key in KEYS[:20]:
        here = token(key)
        for first, last in [(here, here + 9), (here - 1, here), (here - 9, here - 1), (here - 1, here + 1)]:
            sides = Sides("DCAware")
            sides.add(first, last, sides.hosts[:1])
            plan = sides.check(key)
            assert (plan[0] is sides.hosts[0]) >= (first < here <= last)


def test_tablets_that_split_move_or_go_are_in_the_next_plan() -> None:
    sides = Sides()
    sides.cover()
    for key in KEYS:
        sides.check(key)
    sides.cover(count=64)
    for key in KEYS:
        sides.check(key)
    sides.ring.metadata._tablets.drop_tablets_by_host_id(sides.hosts[0].host_id)
    for key in KEYS:
        sides.check(key)
    sides.ring.metadata._tablets.drop_tablets(KEYSPACE, TABLE)
    for key in KEYS:
        assert sides.owners(key) == set(sides.ring.replicas(key))
        sides.check(key)


def test_replaced_tablets_are_forgotten() -> None:
    """Of thousands of tablets that moved on, the policy keeps no more than it counts at a time."""
    sides = Sides()
    sides.cover()
    source = random.Random(8)
    old: list[weakref.ref] = []
    query = statement(b"a")
    owner = sides.ring.metadata._tablets.get_tablet_for_key(KEYSPACE, TABLE, Murmur3Token.from_key(b"a"))
    for _ in range(5000):
        sides.add(owner.first_token, owner.last_token, source.sample(sides.hosts, 3))
        next(iter(sides.ours.make_query_plan(None, query)))
        old.append(
            weakref.ref(sides.ring.metadata._tablets.get_tablet_for_key(KEYSPACE, TABLE, Murmur3Token.from_key(b"a")))
        )
    assert old[-1]() is not None
    assert sum(each() is not None for each in old) <= 1024
    sides.check(b"a")


def test_tablets_of_other_tables_do_not_matter() -> None:
    sides = Sides()
    sides.ring.metadata._tablets.add_tablet(
        KEYSPACE, "other", Tablet(-(2**63), 2**63 - 1, [(sides.hosts[11].host_id, 0)])
    )
    for key in KEYS:
        sides.check(key)


def test_replicas_that_are_down_or_gone_are_left_out() -> None:
    sides = Sides()
    sides.cover()
    sides.hosts[0].set_down()
    for key in KEYS:
        assert sides.hosts[0] not in sides.check(key)
    for policy in (sides.ours, sides.theirs):
        policy.on_down(sides.hosts[1])
    for key in KEYS:
        assert sides.hosts[1] not in sides.check(key)


def strongly_consistent(sides: Sides) -> None:
    sides.ring.metadata.keyspaces[KEYSPACE]._consistency_mode = _ConsistencyMode.GLOBAL


def leader(sides: Sides, key: bytes) -> Host:
    tablet = sides.ring.metadata._tablets.get_tablet_for_key(KEYSPACE, TABLE, Murmur3Token.from_key(key))
    return next(each for each in sides.hosts if each.host_id == tablet.leader)


@pytest.mark.parametrize("child", CHILDREN)
@pytest.mark.parametrize("shuffle", [False, True])
def test_the_leader_comes_first_if_the_child_would_use_it(child: str, shuffle: bool) -> None:
    sides = Sides(child, shuffle_replicas=shuffle)
    sides.cover(count=64, version=7)
    strongly_consistent(sides)
    led = 0
    for key in KEYS:
        query = statement(key)
        ours, theirs = drained(sides.ours, query), drained(sides.theirs, query)
        assert sorted(map(id, ours)) == sorted(map(id, theirs))
        if theirs[0] is leader(sides, key):
            led += 1
            assert ours[0] is leader(sides, key)
    assert led > 20


@pytest.mark.parametrize("level", [ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE])
def test_reads_at_one_are_not_sent_to_the_leader(level: int) -> None:
    sides = Sides("RoundRobin")
    sides.cover(version=7)
    strongly_consistent(sides)
    firsts = [drained(sides.ours, statement(key, consistency_level=level))[0] for key in KEYS for _ in range(3)]
    led = sum(
        first is leader(sides, key) for first, key in zip(firsts, [k for k in KEYS for _ in range(3)], strict=True)
    )
    assert led < len(firsts) * 0.6


@pytest.mark.parametrize("without", ["consistency", "version", "wish", "host up"])
def test_no_leader_without_what_makes_one(without: str) -> None:
    sides = Sides("RoundRobin", _prefer_tablet_leader=without != "wish")
    sides.cover(version=None if without == "version" else 7)
    if without != "consistency":
        strongly_consistent(sides)
    for key in KEYS:
        if without == "host up":
            leader(sides, key).set_down()
            assert leader(sides, key) not in sides.check(key)
            leader(sides, key).set_up()
        else:
            sides.check(key)
    if without != "host up":
        sides.ours.shuffle_replicas = True
        assert sum(drained(sides.ours, statement(key))[0] is leader(sides, key) for key in KEYS) < 80


@pytest.mark.parametrize("shuffle", [False, True])
def test_the_leader_is_found_without_python(shuffle: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaders cost no more than other replicas: the plan is not the fallback's."""

    def fallback(*arguments: Any) -> None:
        raise AssertionError("a plan in Python")

    monkeypatch.setattr("isotherm_driver.routing.fallback.plan", fallback)
    sides = Sides("DCAware, 2 remote", shuffle_replicas=shuffle)
    sides.cover(count=64, version=7)
    strongly_consistent(sides)
    led = [drained(sides.ours, statement(key)) for key in KEYS if leader(sides, key) in drained(sides.ours)]
    firsts = [leader(sides, key) for key in KEYS if leader(sides, key) in drained(sides.ours)]
    assert len(led) > 20
    assert [plan[0] for plan in led] == firsts
    assert all(len(set(plan)) == len(plan) for plan in led)


def test_a_leader_is_not_offered_again_when_hosts_change_meanwhile() -> None:
    sides = Sides("RoundRobin")
    sides.cover(version=7)
    strongly_consistent(sides)
    for number, key in enumerate(KEYS):
        plan = sides.ours.make_query_plan(None, statement(key))
        taken = [next(plan)]
        assert taken[0] is leader(sides, key)
        sides.ours.on_up(sides.hosts[number % 12])
        taken += plan
        assert sorted(map(id, taken)) == sorted(map(id, sides.hosts))


def test_shuffling_among_the_replicas_of_a_tablet() -> None:
    sides = Sides("RoundRobin", shuffle_replicas=True)
    sides.cover(count=1)
    firsts = {drained(sides.ours, statement(KEYS[0]))[0] for _ in range(200)}
    assert firsts == sides.owners(KEYS[0])


def test_unless_they_are_shuffled_the_replicas_take_turns_as_in_the_childs_plan() -> None:
    """Else one node would answer for a whole tablet."""
    sides = Sides("DCAware")
    sides.add(-(2**63), 2**63 - 1, [each for each in sides.hosts if each.datacenter == "dc1"][:3])
    ours, theirs = (
        {drained(policy, statement(KEYS[0]))[0] for _ in range(60)} for policy in (sides.ours, sides.theirs)
    )
    assert ours == theirs
    assert len(ours) > 1


def test_so_they_do_while_their_leader_is_down() -> None:
    sides = Sides("DCAware")
    sides.add(-(2**63), 2**63 - 1, [each for each in sides.hosts if each.datacenter == "dc1"][:3], version=7)
    strongly_consistent(sides)
    led = leader(sides, KEYS[0])
    assert {drained(sides.ours, statement(KEYS[0]))[0] for _ in range(60)} == {led}
    led.set_down()  # which the policy has not been told yet
    ours, theirs = (
        {drained(policy, statement(KEYS[0]))[0] for _ in range(60)} for policy in (sides.ours, sides.theirs)
    )
    assert ours == theirs
    assert len(ours) == 2


def test_lwt_keeps_one_order_however_the_child_rotates() -> None:
    sides = Sides("DCAware", shuffle_replicas=True)
    sides.cover(count=1)
    sides.add(-(2**63), 2**63 - 1, sides.hosts[:4])
    theirs = {tuple(drained(sides.theirs, statement(KEYS[0], lwt=True))[:4]) for _ in range(50)}
    ours = {tuple(drained(sides.ours, statement(KEYS[0], lwt=True))[:4]) for _ in range(50)}
    assert len(theirs) > 1  # the driver takes them from the child's plan, which rotates
    assert len(ours) == 1
    assert set(ours.pop()) == set(sides.hosts[:4])


def test_a_replica_that_was_replaced_at_its_address_is_known_by_its_new_id() -> None:
    """As scylla-driver does it: the same host gets the id, and the token map is made anew."""
    sides = Sides()
    replaced = sides.hosts[4]
    sides.add(-(2**63), 2**63 - 1, [replaced])
    assert sides.check(KEYS[0])[0] is replaced
    sides.ring.metadata._tablets.drop_tablets(KEYSPACE, TABLE)
    sides.ring._tokens[new := uuid.uuid4()] = sides.ring._tokens[replaced.host_id]
    replaced.host_id = new
    sides.ring.rebuild()
    sides.add(-(2**63), 2**63 - 1, [replaced])
    for key in KEYS:
        assert sides.check(key)[0] is replaced


def test_tablets_of_dropped_tables_are_let_go() -> None:
    sides = Sides()
    sides.cover()
    tablets = sides.ring.metadata._tablets
    watched = []

    def read(table: str) -> None:
        query = statement(KEYS[0])
        query.table = table
        drained(sides.ours, query)

    for number in range(50):
        for part in range(20):
            tablet = Tablet(-(2**63) + part * 2**59, -(2**63) + (part + 1) * 2**59, [(sides.hosts[0].host_id, 0)])
            tablets.add_tablet(KEYSPACE, f"dropped_{number}", tablet)
            watched.append(weakref.ref(tablet))
            del tablet
        read(f"dropped_{number}")
        tablets.drop_tablets(KEYSPACE, f"dropped_{number}")
    read(TABLE)
    gc.collect()
    # The indexes of two tables, and the order of one tablet of each: orders are forgotten by the thousand.
    assert sum(each() is not None for each in watched) <= 2 * 20 + 50
