# SPDX-License-Identifier: Apache-2.0
"""Children that are not of this package: their errors reach the caller, their own exclusion is used."""

from types import SimpleNamespace
from typing import Any

import pytest
from cassandra import policies as driver
from cassandra.policies import HostDistance
from topology import IS_SCYLLA, KEYSPACE, TABLE, addresses, drained, grid, populated, ring_of, statement

import isotherm_driver
from isotherm_driver.routing import fallback


class Child(driver.RoundRobinPolicy):
    """A policy of an application."""

    asked = 0

    def make_query_plan_with_exclusion(self, keyspace: Any = None, query: Any = None, excluded: Any = ()) -> Any:
        self.asked += 1
        return [each for each in self.make_query_plan(keyspace, query) if each not in excluded]


class Faulty(Child):
    def make_query_plan_with_exclusion(self, keyspace: Any = None, query: Any = None, excluded: Any = ()) -> Any:
        return len(excluded) + "a fault of the child"


class Twice(driver.RoundRobinPolicy):
    """Offers each host twice in a row, and those of the second datacenter as remote ones."""

    def distance(self, host: Any) -> int:
        return HostDistance.LOCAL if host.datacenter == "dc1" else HostDistance.REMOTE

    def make_query_plan(self, working_keyspace: Any = None, query: Any = None) -> Any:
        return [each for each in sorted(self._live_hosts) for _ in range(2)]


def around(child: Any) -> Any:
    hosts = grid(1, 1, 5)
    return populated(isotherm_driver.TokenAwarePolicy(child), ring_of(hosts), hosts)


@pytest.mark.skipif(not IS_SCYLLA, reason="in cassandra-driver's order the whole plan of the child follows")
def test_a_fault_of_the_child_is_not_hidden() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        drained(around(Faulty()), statement(b"key"))


def test_a_child_that_can_exclude_hosts_is_asked_to() -> None:
    child = Child()
    plan = drained(around(child), statement(b"key"))
    assert len(set(plan)) == len(plan) == 5
    assert child.asked == IS_SCYLLA


def test_a_size_of_a_cache_is_no_setting() -> None:
    with pytest.raises(TypeError, match="cache_replicas_size"):
        isotherm_driver.TokenAwarePolicy(Child(), cache_replicas_size=1024)


def tablet_of(ring: Any, hosts: list) -> None:
    from cassandra.tablets import Tablet

    ring.metadata._tablets.add_tablet(
        KEYSPACE, TABLE, Tablet(-(2**63), 2**63 - 1, [(each.host_id, 0) for each in hosts])
    )


@pytest.mark.parametrize("by_tablet", [False, True] if IS_SCYLLA else [False])
def test_a_child_that_offers_a_host_more_than_once_is_followed_as_the_driver_does(by_tablet: bool) -> None:
    hosts = grid(2, 1, 6)
    ring = ring_of(hosts)
    if by_tablet:
        tablet_of(ring, [hosts[1], hosts[7]])
    plans = []
    for module in (driver, isotherm_driver):
        policy = populated(module.TokenAwarePolicy(Twice(), shuffle_replicas=False), ring, hosts)
        plans.append([addresses(drained(policy, statement(bytes([key])))) for key in range(20)])
    assert plans[0] == plans[1]
    assert {len(plan) for plan in plans[1]} == ({24} if by_tablet else {18} if IS_SCYLLA else {21})


def test_a_query_without_a_consistency_level_is_planned() -> None:
    query = SimpleNamespace(keyspace=KEYSPACE, routing_key=b"key", table=TABLE)
    hosts = grid(1, 1, 5)
    ring = ring_of(hosts)
    for child in (isotherm_driver.RoundRobinPolicy(), Child()):
        policy = populated(isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=True), ring, hosts)
        plan = drained(policy, query)
        assert set(plan) == set(hosts)
        assert set(plan[:3]) == set(ring.replicas(b"key"))


@pytest.mark.parametrize("key", [bytearray(b"key"), 7, "key"], ids=repr)
def test_a_key_that_is_no_bytes_is_the_drivers_to_refuse_and_leaves_the_warning(
    key: Any, caplog: pytest.LogCaptureFixture
) -> None:
    hosts = grid(1, 1, 5)
    outcomes = []
    for module in (driver, isotherm_driver):
        policy = populated(module.TokenAwarePolicy(module.RoundRobinPolicy()), ring_of(hosts), hosts)
        try:
            outcomes.append(set(drained(policy, statement(key))))
        except Exception as problem:
            outcomes.append(type(problem))
    assert outcomes[0] == outcomes[1]
    assert caplog.records == []
    policy._cluster_metadata.token_map.token_class = None
    with pytest.raises(Exception, match="NoneType"):
        drained(policy, statement(b"key"))
    assert len(caplog.records) == 1


@pytest.mark.skipif(IS_SCYLLA, reason="scylla-driver orders the child's plan by distance")
def test_where_a_keyspace_has_no_known_replicas_the_plan_is_the_childs_own() -> None:
    class Given(Child):
        def make_query_plan(self, working_keyspace: Any = None, query: Any = None) -> Any:
            self.given = iter(sorted(self._live_hosts))
            return self.given

    policy = around(child := Given())
    query = statement(b"key", "unknown")
    assert fallback.plan(policy, None, query) is child.given
    assert drained(policy, query) == sorted(child._live_hosts)
