# SPDX-License-Identifier: Apache-2.0
"""Children that are not of this package: their errors reach the caller, their own exclusion is used."""

from typing import Any

import pytest
from cassandra import policies as driver
from topology import IS_SCYLLA, drained, grid, populated, ring_of, statement

import isotherm_driver


class Child(driver.RoundRobinPolicy):
    """A policy of an application."""

    asked = 0

    def make_query_plan_with_exclusion(self, keyspace: Any = None, query: Any = None, excluded: Any = ()) -> Any:
        self.asked += 1
        return [each for each in self.make_query_plan(keyspace, query) if each not in excluded]


class Faulty(Child):
    def make_query_plan_with_exclusion(self, keyspace: Any = None, query: Any = None, excluded: Any = ()) -> Any:
        return len(excluded) + "a fault of the child"


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
