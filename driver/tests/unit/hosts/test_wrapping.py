# SPDX-License-Identifier: Apache-2.0
"""Plans over another policy's plan: filtered by a predicate, after a target, without excluded hosts."""

from typing import Any

import pytest
from cassandra.policies import HostDistance
from topology import drained, grid, grown, host, populated, ring_of, statement

import isotherm_driver


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


def test_a_plan_with_exclusion_skips_and_stays_lazy() -> None:
    hosts = grid(1, 1, 5)
    policy = grown(isotherm_driver.RoundRobinPolicy(), None, hosts)
    plan = policy.make_query_plan_with_exclusion(excluded={hosts[0], hosts[3]})
    assert set(plan) == {hosts[1], hosts[2], hosts[4]}
    assert len(list(policy.make_query_plan_with_exclusion())) == 5

    given = []

    class Counting(isotherm_driver.RoundRobinPolicy):  # type: ignore[name-defined]
        def make_query_plan(self, working_keyspace=None, query=None):
            for each in hosts:
                given.append(each)
                yield each

    plan = grown(Counting(), None, hosts).make_query_plan_with_exclusion(excluded={hosts[0]})
    assert given == []
    assert next(plan) is hosts[1]
    assert given == hosts[:2]
