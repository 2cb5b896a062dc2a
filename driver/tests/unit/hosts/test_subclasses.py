# SPDX-License-Identifier: Apache-2.0
"""Subclasses that use what the drivers' policies keep: the lists, their lock, the settings, and where a host counts.

The first few are shown on the driver's own policy too: what holds there holds here.
"""

import threading
from types import ModuleType
from typing import Any

import pytest
from cassandra import policies as driver
from cassandra.policies import HostDistance
from hanging import within_seconds
from policy_pairs import LOCAL_DC, LOCAL_RACK
from topology import IS_SCYLLA, drained, grid, grown, host, populated, ring_of, statement

import isotherm_driver

MODULES = pytest.mark.parametrize("module", [driver, isotherm_driver], ids=["driver", "isotherm"])


@MODULES
def test_live_hosts_are_written_under_the_hosts_lock(module: ModuleType) -> None:
    class Picky(module.RoundRobinPolicy):  # type: ignore[name-defined]
        def on_up(self, host: Any) -> None:
            if host.rack == LOCAL_RACK:
                with self._hosts_lock:
                    self._live_hosts = self._live_hosts.union((host,))

    policy = populated(Picky(), None, [])
    hosts = [host(1), host(2, rack="r2"), host(3)]
    for each in hosts:
        within_seconds(policy.on_up, each)
    assert set(drained(policy)) == {hosts[0], hosts[2]}
    policy.on_down(hosts[0])
    assert drained(policy) == [hosts[2]]


LISTING = {
    "RoundRobin": lambda kind: kind(),
    "WhiteListRoundRobin": lambda kind: kind(["10.0.0.1", "10.0.0.2"]),
    "DCAwareRoundRobin": lambda kind: kind(LOCAL_DC),
    "RackAwareRoundRobin": lambda kind: kind(LOCAL_DC, LOCAL_RACK),
}


def populating_under_the_lock(module: ModuleType, name: str) -> Any:
    """Return a policy of a subclass that holds the lock while it is populated."""
    base: Any = getattr(module, f"{name}Policy", None)
    if base is None:
        pytest.skip("the installed driver has no such policy")

    class Locking(base):
        def populate(self, cluster: Any, hosts: Any) -> None:
            with self._hosts_lock:
                super().populate(cluster, hosts)

    return LISTING[name](Locking)


@MODULES
@pytest.mark.parametrize("name", LISTING)
def test_a_policy_is_populated_under_the_hosts_lock(module: ModuleType, name: str) -> None:
    policy = populating_under_the_lock(module, name)
    hosts = [host(1), host(2)]
    within_seconds(populated, policy, None, hosts)
    assert set(drained(policy)) == set(hosts)


@pytest.mark.parametrize("name", ["DCAwareRoundRobin", "RackAwareRoundRobin"])
def test_who_populates_under_the_lock_waits_for_nobody_who_waits_for_it(name: str) -> None:
    policy = populating_under_the_lock(isotherm_driver, name)
    hosts = [host(1), host(2), host(3, "dc2")]

    def populate() -> None:
        for _ in range(300):
            populated(policy, None, hosts[:2])

    def tell() -> None:
        for _ in range(300):
            policy.on_up(hosts[2])
            policy.on_down(hosts[2])

    def write() -> None:
        for number in range(300):
            policy.used_hosts_per_remote_dc = number % 2
            with policy._hosts_lock:
                policy._dc_live_hosts["dc3"] = ()

    def all_at_once() -> None:
        threads = [threading.Thread(target=each, daemon=True) for each in (populate, tell, write)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    within_seconds(all_at_once)
    populated(policy, None, hosts[:2])
    assert set(drained(policy)) == set(hosts[:2])


@MODULES
def test_a_datacenters_hosts_are_written_one_by_one(module: ModuleType) -> None:
    class Newest(module.DCAwareRoundRobinPolicy):  # type: ignore[name-defined]
        """Uses the host of each datacenter that came up last."""

        def on_up(self, host: Any) -> None:
            with self._hosts_lock:
                self._dc_live_hosts[self._dc(host)] = (host,)

        def on_down(self, host: Any) -> None:
            with self._hosts_lock:
                if host in self._dc_live_hosts.get(self._dc(host), ()):
                    del self._dc_live_hosts[self._dc(host)]

    hosts = [host(1), host(2, "dc2"), host(3, "dc2"), host(4)]
    policy = populated(Newest(LOCAL_DC, 1), None, [])
    for each in hosts:
        within_seconds(policy.on_up, each)
    assert drained(policy) == [hosts[3], hosts[2]]
    assert policy.distance(hosts[2]) == HostDistance.REMOTE
    assert policy.distance(hosts[1]) == HostDistance.IGNORED
    within_seconds(policy.on_down, hosts[3])
    assert drained(policy) == [hosts[2]]


def test_what_is_read_of_the_lists_is_always_the_present() -> None:
    policy = grown(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), None, [first := host(1)])
    lists = policy._dc_live_hosts
    assert lists == {LOCAL_DC: (first,)}
    policy.on_up(second := host(2))
    assert lists[LOCAL_DC] == (first, second)
    before = lists.copy()
    lists.clear()
    assert drained(policy) == []
    assert before == {LOCAL_DC: (first, second)}
    policy._dc_live_hosts = before
    assert lists.pop(LOCAL_DC) == (first, second)


@pytest.mark.parametrize("module", [driver, isotherm_driver] if IS_SCYLLA else [isotherm_driver])
def test_a_racks_hosts_are_written_one_by_one(module: ModuleType) -> None:
    hosts = [host(1), host(2), host(3, rack="r2")]
    policy = grown(module.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK), None, hosts)
    with policy._hosts_lock:
        policy._live_hosts[(LOCAL_DC, LOCAL_RACK)] = (hosts[1],)
        policy._dc_live_hosts[LOCAL_DC] = tuple(hosts[1:])
    assert drained(policy) == hosts[1:]


@MODULES
def test_a_subclass_says_in_which_datacenter_a_host_counts(module: ModuleType) -> None:
    class ByAddress(module.DCAwareRoundRobinPolicy):  # type: ignore[name-defined]
        """Datacenters by the parity of the last number of the address."""

        def _dc(self, host: Any) -> str:
            return "odd" if int(host.address.rpartition(".")[2]) % 2 else "even"

    hosts = grid(2, 1, 3)
    policy = grown(ByAddress("odd", 1), None, hosts)
    for event in ("on_down", "on_up"):
        getattr(policy, event)(hosts[2])
    plan = drained(policy)
    assert set(plan[:3]) == {hosts[0], hosts[2], hosts[4]}
    assert len(plan) == 4
    assert policy.distance(plan[3]) == HostDistance.REMOTE
    assert policy.distance(hosts[0]) == policy.distance(hosts[4]) == HostDistance.LOCAL


def test_replicas_follow_a_subclasss_datacenters_without_python() -> None:
    class Renaming(isotherm_driver.DCAwareRoundRobinPolicy):
        def _dc(self, host: Any) -> str:
            return "here" if host.datacenter == "dc2" else "there"

    hosts = grid(2, 1, 3)
    ring = ring_of(hosts, factor=2)
    policy = populated(isotherm_driver.TokenAwarePolicy(Renaming("here"), shuffle_replicas=False), ring, hosts)
    for number in range(50):
        key = bytes([number])
        local = [each for each in ring.replicas(key) if each.datacenter == "dc2"]
        plan = drained(policy, statement(key))
        assert plan[:2] == local
        assert set(plan) == set(hosts[3:])


@pytest.mark.parametrize("module", [driver, isotherm_driver] if IS_SCYLLA else [isotherm_driver])
def test_a_subclass_says_in_which_rack_a_host_counts(module: ModuleType) -> None:
    class OneRackEach(module.RackAwareRoundRobinPolicy):  # type: ignore[name-defined]
        def _rack(self, host: Any) -> str:
            return host.address

    hosts = [host(1), host(2), host(3)]
    policy = populated(OneRackEach(LOCAL_DC, "10.0.0.2"), None, hosts)
    assert all(drained(policy)[0] is hosts[1] for _ in range(6))
    assert policy.distance(hosts[0]) == HostDistance.LOCAL


@MODULES
def test_a_subclass_with_lists_of_its_own_is_planned_from_them(module: ModuleType) -> None:
    class Own(module.RoundRobinPolicy):  # type: ignore[name-defined]
        _live_hosts = frozenset()

    policy = populated(Own(), None, [])
    hosts = [host(1), host(2)]
    for each in hosts:
        policy.on_up(each)
    assert set(drained(policy)) == set(hosts)
    policy._live_hosts = frozenset(hosts[:1])
    assert drained(policy) == hosts[:1]


@MODULES
def test_a_host_that_is_added_or_removed_is_so_whatever_a_subclass_does_when_one_comes_up(module: ModuleType) -> None:
    class Sticky(module.RoundRobinPolicy):  # type: ignore[name-defined]
        """Keeps hosts that are down, and takes one that comes up for a new one."""

        def on_up(self, host: Any) -> None:
            self.on_add(host)

        def on_down(self, host: Any) -> None:
            pass

    first, second = host(1), host(2)
    policy = populated(Sticky(), None, [first])
    policy.on_add(second)
    policy.on_down(first)
    assert set(drained(policy)) == {first, second}
    policy.on_remove(first)
    assert drained(policy) == [second]
    policy.on_up(first)
    assert set(drained(policy)) == {first, second}


@MODULES
def test_what_a_subclass_of_the_token_aware_policy_computes_is_read_at_each_plan(module: ModuleType) -> None:
    class Computed(module.TokenAwarePolicy):  # type: ignore[name-defined]
        shuffles = False
        child: Any = None

        @property
        def shuffle_replicas(self) -> bool:
            return self.shuffles

        @shuffle_replicas.setter
        def shuffle_replicas(self, shuffles: bool) -> None:
            pass

        @property
        def _child_policy(self) -> Any:
            return self.child

        @_child_policy.setter
        def _child_policy(self, child: Any) -> None:
            self.child = child

    hosts = grid(1, 1, 4)
    ring = ring_of(hosts, factor=3)
    policy = populated(Computed(module.DCAwareRoundRobinPolicy("dc1")), ring, hosts)
    assert set(drained(policy)) == set(hosts)
    key = b"key"
    assert {drained(policy, statement(key))[0] for _ in range(60)} == {ring.replicas(key)[0]}
    Computed.shuffles = True
    assert {drained(policy, statement(key))[0] for _ in range(60)} == set(ring.replicas(key))
    policy.child = populated(module.DCAwareRoundRobinPolicy("dc1"), None, hosts[:2])
    assert set(drained(policy)) == set(hosts[:2])


@MODULES
def test_a_token_aware_plan_is_made_under_a_lock_of_that_name(module: ModuleType) -> None:
    class Locking(module.TokenAwarePolicy):  # type: ignore[name-defined]
        def __init__(self, child: Any) -> None:
            super().__init__(child)
            self._hosts_lock = threading.Lock()  # the driver's policy has None

        def make_query_plan(self, working_keyspace: Any = None, query: Any = None) -> Any:
            with self._hosts_lock:
                return iter(list(super().make_query_plan(working_keyspace, query)))

    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    policy = populated(Locking(module.DCAwareRoundRobinPolicy(LOCAL_DC)), ring, hosts)
    plans: list[Any] = []
    within_seconds(lambda: plans.append(drained(policy, statement(b"key"))))
    assert set(plans[0]) == set(hosts)
    assert set(plans[0][:3]) == set(ring.replicas(b"key"))


@MODULES
def test_a_token_aware_policy_whose_constructor_does_not_run_has_the_drivers_defaults(module: ModuleType) -> None:
    class Bare(module.TokenAwarePolicy):  # type: ignore[name-defined]
        def __init__(self, child: Any) -> None:
            self._child_policy = child

    bare = Bare(module.DCAwareRoundRobinPolicy(LOCAL_DC))
    assert bare.shuffle_replicas is driver.TokenAwarePolicy.shuffle_replicas
    if IS_SCYLLA:
        assert bare._prefer_tablet_leader is driver.TokenAwarePolicy._prefer_tablet_leader
    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    populated(bare, ring, hosts)
    firsts = {drained(bare, statement(b"key"))[0] for _ in range(60)}
    assert firsts == set(ring.replicas(b"key")[: 3 if IS_SCYLLA else 1])


def test_a_setting_is_written_under_the_hosts_lock() -> None:
    policy = grown(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), None, [host(1), far := host(2, "dc2")])

    def fail_over() -> None:
        with policy._hosts_lock:
            policy._local_dc = "dc2"
            policy.used_hosts_per_remote_dc = 0

    within_seconds(fail_over)
    assert drained(policy) == [far]
