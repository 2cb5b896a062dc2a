# SPDX-License-Identifier: Apache-2.0
"""What programs and the drivers' own unit tests lean on: names, types, mocks, foreign children."""

import subprocess
import sys
from typing import Any
from unittest.mock import Mock, patch

import pytest
from cassandra import policies as driver
from cassandra.policies import HostDistance
from cassandra.pool import Host
from policy_pairs import LOCAL_DC, PAIRS
from topology import Ring, drained, grid, grown, host, populated, ring_of, statement

import isotherm_driver

NAMES = [
    "RoundRobinPolicy",
    "DCAwareRoundRobinPolicy",
    "RackAwareRoundRobinPolicy",
    "TokenAwarePolicy",
    "HostFilterPolicy",
    "WhiteListRoundRobinPolicy",
    "DefaultLoadBalancingPolicy",
]


def test_without_a_driver_the_import_says_which_extra_installs_one() -> None:
    program = "import sys; sys.modules['cassandra'] = None; import isotherm_driver"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    [last] = done.stderr.splitlines()[-1:]
    assert last.startswith("ModuleNotFoundError: No module named 'cassandra', which a driver has: install the package")
    assert "`cassandra` for cassandra-driver or `scylla` for scylla-driver" in last


@pytest.mark.parametrize("name", NAMES)
def test_each_policy_is_one_of_the_drivers_own(name: str) -> None:
    ours = getattr(isotherm_driver, name)
    assert issubclass(ours, getattr(driver, name, driver.LoadBalancingPolicy))
    assert ours.__name__ == name


@pytest.mark.parametrize("name", PAIRS)
def test_attributes_are_the_drivers(name: str) -> None:
    ours, theirs = PAIRS[name](isotherm_driver), PAIRS[name](driver)
    public = {each for each in dir(theirs) if not each.startswith("_")}
    assert public <= set(dir(ours))
    for each in public:
        value = getattr(theirs, each)
        if isinstance(value, str | int | bool | None):
            assert getattr(ours, each) == value, each


def test_a_subclass_in_python_sees_the_events_and_may_plan() -> None:
    class Derived(isotherm_driver.DCAwareRoundRobinPolicy):
        def __init__(self) -> None:
            super().__init__(LOCAL_DC, 1)
            self.seen: list[Any] = []

        def on_up(self, host: Any) -> None:
            self.seen.append(host)
            super().on_up(host)

        def make_query_plan(self, working_keyspace: Any = None, query: Any = None) -> Any:
            return reversed(list(super().make_query_plan(working_keyspace, query)))

    hosts = [host(1), host(2), host(3, "dc2")]
    policy = grown(Derived(), None, hosts)
    assert policy.seen == hosts
    assert drained(policy)[0] is hosts[2]
    ring = ring_of(hosts)
    around = grown(isotherm_driver.TokenAwarePolicy(Derived()), ring, hosts)
    assert set(drained(around, statement(b"key"))) == set(hosts)


@pytest.mark.parametrize("name", PAIRS)
def test_plans_are_iterators(name: str) -> None:
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts)
    ring.endpoints_resolved = [hosts[0].endpoint]
    policy = grown(PAIRS[name](isotherm_driver), ring, hosts)
    plan = iter(policy.make_query_plan(None, statement(b"key")))
    first = next(plan)
    rest = list(plan)
    assert first not in rest
    with pytest.raises(StopIteration):
        next(plan)


@pytest.mark.parametrize("name", [name for name in PAIRS if "RoundRobin" not in name and name != "WhiteList"])
def test_plans_look_for_nobody_before_their_first_host(name: str) -> None:
    """As the drivers', but for those of RoundRobin, which are of the moment in which they are made."""
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts)
    ring.endpoints_resolved = [hosts[0].endpoint]
    policy = grown(PAIRS[name](isotherm_driver), ring, hosts)
    plan = policy.make_query_plan(None, statement(b"key"))
    gone = drained(policy, statement(b"key"))[-1]
    policy.on_down(gone)
    assert gone not in list(plan)


@pytest.mark.parametrize("name", PAIRS)
def test_without_hosts_plans_are_empty(name: str) -> None:
    policy = populated(PAIRS[name](isotherm_driver), ring_of(grid(2, 1, 1)), [])
    if "TokenAware" not in name:
        assert drained(policy, statement(b"key")) == []
    assert drained(policy) == []


def test_mocked_hosts_and_children_are_taken_as_they_are() -> None:
    hosts = [Mock(name=str(number), is_up=True, datacenter=LOCAL_DC, rack="r1") for number in range(3)]
    child = Mock(spec=driver.RoundRobinPolicy)
    child.make_query_plan.return_value = hosts
    child.distance.return_value = HostDistance.LOCAL
    cluster = Mock()
    cluster.metadata._tablets.get_tablet_for_key.return_value = None
    cluster.metadata.get_replicas.return_value = [hosts[2]]
    policy = isotherm_driver.TokenAwarePolicy(child)
    policy.populate(cluster, hosts)
    child.populate.assert_called_once_with(cluster, hosts)
    plan = drained(policy, statement(b"key"))
    assert plan == [hosts[2], hosts[0], hosts[1]]
    cluster.metadata.get_replicas.assert_called_once_with("ks", b"key")
    for event in ("on_up", "on_down", "on_add", "on_remove", "distance"):
        getattr(policy, event)(hosts[0])
        getattr(child, event).assert_called_with(hosts[0])
    assert policy._child_policy is child


def test_a_mocked_statement_is_taken_as_it_is() -> None:
    hosts, _, policy = four_hosts(shuffle_replicas=True)
    query = Mock(keyspace="ks", routing_key=b"key", table="t", consistency_level=None, serial_consistency_level=None)
    query.is_lwt.return_value = False
    assert set(drained(policy, query)) == set(hosts)


def four_hosts(shuffle_replicas: bool) -> tuple[list[Host], Ring, Any]:
    """Return four hosts, their ring, and a token-aware policy to which all of them are local."""
    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    child = isotherm_driver.RoundRobinPolicy()
    policy = isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=shuffle_replicas)
    return hosts, ring, populated(policy, ring, hosts)


def test_a_mocked_get_replicas_of_a_real_metadata_is_called() -> None:
    hosts, ring, policy = four_hosts(shuffle_replicas=False)
    drained(policy, statement(b"key"))
    ring.metadata.get_replicas = Mock(return_value=[hosts[3]])
    assert drained(policy, statement(b"key"))[0] is hosts[3]
    ring.metadata.get_replicas.assert_called_once_with("ks", b"key")


def test_a_mocked_get_replicas_of_a_real_token_map_is_called() -> None:
    hosts, ring, policy = four_hosts(shuffle_replicas=False)
    drained(policy, statement(b"key"))
    ring.metadata.token_map.get_replicas = Mock(return_value=[hosts[3]])
    assert drained(policy, statement(b"key"))[0] is hosts[3]
    assert ring.metadata.token_map.get_replicas.called


def test_a_patched_shuffle_is_called() -> None:
    _, _, policy = four_hosts(shuffle_replicas=True)
    with patch("cassandra.policies.shuffle") as shuffle:
        drained(policy, statement(b"key"))
    assert shuffle.call_count == 1


def test_check_supported_asks_the_metadata() -> None:
    cluster = Mock()
    cluster.metadata.can_support_partitioner.return_value = False
    policy = isotherm_driver.TokenAwarePolicy(isotherm_driver.RoundRobinPolicy())
    policy.populate(cluster, [])
    with pytest.raises(RuntimeError):
        policy.check_supported()
    cluster.metadata.can_support_partitioner.return_value = True
    policy.check_supported()


@pytest.mark.parametrize("name", PAIRS)
def test_before_populate_plans_are_empty(name: str) -> None:
    """scylla-driver's control connection asks for a plan before it has populated the policy."""
    assert drained(PAIRS[name](isotherm_driver)) == []
