# SPDX-License-Identifier: Apache-2.0
"""Subclasses that compute what the drivers' policies keep as settings, the local datacenter and rack above all."""

from types import ModuleType
from typing import Any

import pytest
from cassandra import policies as driver
from cassandra.policies import HostDistance
from topology import IS_SCYLLA, drained, grid, host, populated, ring_of, statement

import isotherm_driver

MODULES = pytest.mark.parametrize("module", [driver, isotherm_driver], ids=["driver", "isotherm"])


@MODULES
def test_settings_that_a_subclass_computes_are_read_at_each_plan(module: ModuleType) -> None:
    class Failover(module.DCAwareRoundRobinPolicy):  # type: ignore[name-defined]
        now = "dc1"

        @property
        def local_dc(self) -> str:
            return self.now

        @local_dc.setter
        def local_dc(self, name: str) -> None:
            pass

    hosts = grid(2, 1, 2)
    ring = ring_of(hosts, factor=2)
    plain = populated(Failover("dc1"), None, hosts)
    around = populated(module.TokenAwarePolicy(Failover("dc1"), shuffle_replicas=False), ring, hosts)
    assert set(drained(plain)) == set(drained(around, statement(b"key"))) == set(hosts[:2])
    Failover.now = "dc2"
    assert set(drained(plain)) == set(drained(around, statement(b"key"))) == set(hosts[2:])
    assert plain.distance(hosts[0]) == HostDistance.IGNORED
    plain.on_down(hosts[2])
    assert drained(plain) == [hosts[3]]


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver writes `local_dc` itself")
@MODULES
@pytest.mark.parametrize("name", ["local_dc", "_local_dc"])
def test_a_local_datacenter_that_a_subclass_computes_needs_no_setter_but_where_the_driver_writes_it(
    module: ModuleType, name: str
) -> None:
    def compute(self: Any) -> str:
        return self.now

    own = property(compute) if name == "local_dc" else property(compute, lambda self, value: None)
    computed = type("Computed", (module.DCAwareRoundRobinPolicy,), {name: own, "now": "dc1"})
    hosts = grid(2, 1, 2)
    policy = populated(computed("dc9"), None, hosts)
    assert set(drained(policy)) == set(hosts[:2])
    computed.now = "dc2"
    assert set(drained(policy)) == set(hosts[2:])
    assert policy.distance(hosts[0]) == HostDistance.IGNORED
    assert policy.distance(hosts[2]) == HostDistance.LOCAL


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver writes `local_dc` itself")
@MODULES
def test_a_local_datacenter_of_a_class_is_not_inferred(module: ModuleType) -> None:
    class Fixed(module.DCAwareRoundRobinPolicy):  # type: ignore[name-defined]
        local_dc = "dc1"

    hosts = grid(2, 1, 2)
    policy = populated(Fixed(), None, [])
    for each in reversed(hosts):
        policy.on_up(each)
    assert policy.local_dc == "dc1"
    assert set(drained(policy)) == set(hosts[:2])


@MODULES
def test_a_host_whose_place_is_unknown_counts_for_the_computed_one(module: ModuleType) -> None:
    class Elsewhere(module.DCAwareRoundRobinPolicy):  # type: ignore[name-defined]
        @property
        def local_dc(self) -> str:
            return "dc1"

        @local_dc.setter
        def local_dc(self, name: str) -> None:
            pass

    unplaced = host(9, dc=None)
    policy = populated(Elsewhere("dc2"), None, grid(2, 1, 2))
    policy.on_up(unplaced)
    assert policy.distance(unplaced) == HostDistance.LOCAL
    assert unplaced in drained(policy)


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver has no racks")
@MODULES
def test_a_host_whose_rack_is_unknown_counts_for_the_computed_one(module: ModuleType) -> None:
    class Elsewhere(module.RackAwareRoundRobinPolicy):  # type: ignore[name-defined]
        @property
        def local_rack(self) -> str:
            return "r1"

        @local_rack.setter
        def local_rack(self, name: str) -> None:
            pass

    unplaced = host(9, rack=None)
    policy = populated(Elsewhere("dc1", "r2"), None, grid(1, 2, 2))
    policy.on_up(unplaced)
    assert policy.distance(unplaced) == HostDistance.LOCAL_RACK
    assert unplaced in drained(policy)[:3]
