# SPDX-License-Identifier: Apache-2.0
"""What programs and the drivers' own unit tests lean on: names, types, settable attributes, mocks, foreign children."""

from threading import Lock
from typing import Any
from unittest.mock import Mock, patch

import pytest
from cassandra import policies as driver
from cassandra.policies import HostDistance
from policy_pairs import LOCAL_DC, LOCAL_RACK, PAIRS
from topology import IS_SCYLLA, drained, grid, grown, host, populated, ring_of, statement

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
def test_plans_are_lazy_iterators(name: str) -> None:
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


@pytest.mark.parametrize("name", PAIRS)
def test_without_hosts_plans_are_empty(name: str) -> None:
    policy = populated(PAIRS[name](isotherm_driver), ring_of(grid(2, 1, 1)), [])
    if "TokenAware" not in name:
        assert drained(policy, statement(b"key")) == []
    assert drained(policy) == []


@pytest.mark.parametrize("name", ["RoundRobin", "DCAware", "RackAware"])
def test_hosts_lock_is_a_lock(name: str) -> None:
    policy = {
        "RoundRobin": lambda: isotherm_driver.RoundRobinPolicy(),
        "DCAware": lambda: isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC),
        "RackAware": lambda: isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK),
    }[name]()
    assert type(policy._hosts_lock) is type(Lock())


@pytest.mark.parametrize("name", ["RoundRobin", "DCAware", "RackAware"])
def test_position_is_writable_and_decides_who_is_first(name: str) -> None:
    policy = {
        "RoundRobin": lambda: isotherm_driver.RoundRobinPolicy(),
        "DCAware": lambda: isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC),
        "RackAware": lambda: isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK),
    }[name]()
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


def dc_or_rack_aware(kind: str, used: int = 0) -> Any:
    if kind == "DCAware":
        return isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC, used)
    return isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, used)


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_used_hosts_per_remote_dc_is_settable_and_effective_at_once(kind: str) -> None:
    hosts = [host(1), host(2, "dc2"), host(3, "dc2"), host(4, "dc3")]
    policy = grown(dc_or_rack_aware(kind), None, hosts)
    for used, planned in [(0, 1), (1, 3), (2, 4), (9, 4), (0, 1)]:
        policy.used_hosts_per_remote_dc = used
        plan = drained(policy)
        assert len(plan) == planned
        for each in hosts:
            assert (policy.distance(each) != HostDistance.IGNORED) is (each in plan)


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_local_dc_is_settable_and_effective_at_once(kind: str) -> None:
    if kind == "DCAware" and IS_SCYLLA:
        set_local_dc = lambda policy, name: setattr(policy, "_local_dc", name)  # noqa: E731
    else:
        set_local_dc = lambda policy, name: setattr(policy, "local_dc", name)  # noqa: E731
    hosts = [host(1), host(2, "dc2"), host(3, "dc2")]
    policy = grown(dc_or_rack_aware(kind), None, hosts)
    assert drained(policy) == [hosts[0]]
    set_local_dc(policy, "dc2")
    assert policy.local_dc == "dc2"
    assert set(drained(policy)) == set(hosts[1:])
    assert policy.distance(hosts[0]) == HostDistance.IGNORED
    assert policy.distance(hosts[1]) != HostDistance.IGNORED


def test_local_rack_is_settable_and_effective_at_once() -> None:
    hosts = [host(1, rack="r1"), host(2, rack="r2"), host(3, rack="r3")]
    policy = grown(dc_or_rack_aware("RackAware"), None, hosts)
    assert drained(policy)[0] is hosts[0]
    policy.local_rack = "r3"
    assert all(drained(policy)[0] is hosts[2] for _ in range(5))


def test_rack_aware_plans_rack_then_datacenter_then_the_rest_under_any_driver() -> None:
    hosts = [host(1, "dc2"), host(2, rack="r2"), host(3), host(4), host(5, "dc3"), host(6, "dc3")]
    policy = grown(dc_or_rack_aware("RackAware", 1), None, hosts)
    for _ in range(12):
        plan = drained(policy)
        assert set(plan[:2]) == {hosts[2], hosts[3]}
        assert plan[2] is hosts[1]
        assert set(plan[3:]) == {hosts[0], hosts[4]}


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
    policy = grown(dc_or_rack_aware(kind), None, [moving := host(1)])
    near = policy.distance(moving)
    assert near != HostDistance.IGNORED
    moving.set_location_info("dc2", "r1")
    assert policy.distance(moving) == HostDistance.IGNORED
    moving.set_location_info(LOCAL_DC, "r9")
    assert policy.distance(moving) == HostDistance.LOCAL


@pytest.mark.parametrize("kind", ["DCAware", "RackAware"])
def test_local_hosts_are_bound_at_the_first_next_and_remote_ones_when_reached(kind: str) -> None:
    near, far = [host(1), host(2)], [host(3, "dc2"), host(4, "dc2")]
    policy = grown(dc_or_rack_aware(kind, 2), None, [near[0], far[0]])
    plan = iter(policy.make_query_plan())
    policy.on_up(near[1])
    first = next(plan)
    policy.on_down(near[1])
    policy.on_up(far[1])
    policy.on_down(far[0])
    assert [first, next(plan)] in (near, near[::-1])
    assert list(plan) == [far[1]]


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


def test_a_mocked_get_replicas_of_a_real_metadata_is_called() -> None:
    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    policy = populated(
        isotherm_driver.TokenAwarePolicy(isotherm_driver.RoundRobinPolicy(), shuffle_replicas=False), ring, hosts
    )
    drained(policy, statement(b"key"))
    ring.metadata.get_replicas = Mock(return_value=[hosts[3]])
    assert drained(policy, statement(b"key"))[0] is hosts[3]
    ring.metadata.get_replicas.assert_called_once_with("ks", b"key")


def test_a_mocked_get_replicas_of_a_real_token_map_is_called() -> None:
    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    policy = populated(
        isotherm_driver.TokenAwarePolicy(isotherm_driver.RoundRobinPolicy(), shuffle_replicas=False), ring, hosts
    )
    drained(policy, statement(b"key"))
    ring.metadata.token_map.get_replicas = Mock(return_value=[hosts[3]])
    assert drained(policy, statement(b"key"))[0] is hosts[3]
    assert ring.metadata.token_map.get_replicas.called


def test_a_patched_shuffle_is_called() -> None:
    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    policy = populated(
        isotherm_driver.TokenAwarePolicy(isotherm_driver.RoundRobinPolicy(), shuffle_replicas=True), ring, hosts
    )
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


def test_host_filter_asks_the_predicate_at_each_host() -> None:
    hosts = [host(1), host(2), host(3)]
    banned: set = set()
    policy = isotherm_driver.HostFilterPolicy(isotherm_driver.RoundRobinPolicy(), lambda each: each not in banned)
    grown(policy, None, hosts)
    assert len(drained(policy)) == 3
    banned.add(hosts[1])
    assert hosts[1] not in drained(policy)
    assert policy.distance(hosts[1]) == HostDistance.IGNORED
    with pytest.raises(AttributeError):
        policy.predicate = None


def test_an_error_of_the_predicate_reaches_the_caller() -> None:
    def fails(each: Any) -> bool:
        raise LookupError(each)

    policy = grown(isotherm_driver.HostFilterPolicy(isotherm_driver.RoundRobinPolicy(), fails), None, [host(1)])
    with pytest.raises(LookupError):
        drained(policy)


def test_the_default_policy_sends_to_the_target_first() -> None:
    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    policy = populated(isotherm_driver.DefaultLoadBalancingPolicy(isotherm_driver.RoundRobinPolicy()), ring, hosts)
    query = statement(b"key")
    query.target_host = hosts[2].address
    for _ in range(4):
        plan = drained(policy, query)
        assert plan[0] is hosts[2]
        assert sorted(map(id, plan)) == sorted(map(id, hosts))
    hosts[2].set_down()
    assert {drained(policy, query)[0] for _ in range(4)} == set(hosts)


@pytest.mark.parametrize("name", PAIRS)
def test_before_populate_plans_are_empty(name: str) -> None:
    """scylla-driver's control connection asks for a plan before it has populated the policy."""
    assert drained(PAIRS[name](isotherm_driver)) == []


def test_a_plan_with_exclusion_skips_and_stays_lazy() -> None:
    hosts = grid(1, 1, 5)
    policy = grown(isotherm_driver.RoundRobinPolicy(), None, hosts)
    plan = policy.make_query_plan_with_exclusion(excluded={hosts[0], hosts[3]})
    assert set(plan) == {hosts[1], hosts[2], hosts[4]}
    assert len(list(policy.make_query_plan_with_exclusion())) == 5
