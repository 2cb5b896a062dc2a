# SPDX-License-Identifier: Apache-2.0
"""Statements of applications that do not say whether they are lightweight transactions: planned as by the driver."""

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from cassandra import policies as driver
from cassandra.query import SimpleStatement
from policy_pairs import is_allowed
from topology import IS_SCYLLA, KEYSPACE, TABLE, drained, grid, grown, ring_of, statement

import isotherm_driver
from isotherm_driver.queue_aware import QueueAwarePolicy


def child(module: ModuleType) -> Any:
    return module.DCAwareRoundRobinPolicy("dc1", 2)


def queue_aware(module: ModuleType, **settings: Any) -> Any:
    if module is driver:
        return driver.TokenAwarePolicy(child(driver), shuffle_replicas=True)
    return QueueAwarePolicy(child(module), in_flight=lambda host: 0, **settings)


POLICIES: dict[str, Callable[[ModuleType], Any]] = {
    "shuffled": lambda m: m.TokenAwarePolicy(child(m), shuffle_replicas=True),
    "not shuffled": lambda m: m.TokenAwarePolicy(child(m), shuffle_replicas=False),
    "queue-aware": queue_aware,
    "queue-aware, affinity": lambda m: queue_aware(m, affinity=True),
    "fallback": lambda m: m.TokenAwarePolicy(m.HostFilterPolicy(child(m), is_allowed), shuffle_replicas=True),
}
EACH_POLICY = pytest.mark.parametrize("name", POLICIES)


class Marked(SimpleStatement):
    """Says what it is by an attribute that the application has invented."""

    is_lwt = True


class Computed(SimpleStatement):
    @property
    def is_lwt(self) -> bool:
        return True


def made(kind: type[SimpleStatement]) -> SimpleStatement:
    query = kind("UPDATE t SET v = 1 WHERE k = 1", routing_key=b"key", keyspace=KEYSPACE)
    query.table = TABLE
    return query


def side(module: ModuleType, name: str) -> Any:
    hosts = grid(2, 1, 6)
    return grown(POLICIES[name](module), ring_of(hosts), hosts)


def outcome(policy: Any, query: Any) -> set:
    """Return the hosts of a plan, each of which may come once."""
    plan = drained(policy, query)
    assert len(plan) == len(set(plan))
    return {each.address for each in plan}


@EACH_POLICY
@pytest.mark.parametrize("kind", [Marked, Computed])
def test_an_attribute_that_is_no_method_is_no_answer(
    name: str, kind: type[SimpleStatement], caplog: pytest.LogCaptureFixture
) -> None:
    ours, theirs = side(isotherm_driver, name), side(driver, name)
    # scylla-driver's policy calls the attribute, where it shuffles.
    expected = outcome(theirs, statement(b"key") if IS_SCYLLA else made(kind))
    for _ in range(20):
        assert outcome(ours, made(kind)) == expected
    assert getattr(ours, "failures", 0) == ours.plans_by_driver == 0
    assert caplog.records == []


@EACH_POLICY
@pytest.mark.parametrize("column", [("ks", "t"), SimpleNamespace(table_name=7), None], ids=repr)
def test_columns_of_another_kind_name_no_table(name: str, column: Any, caplog: pytest.LogCaptureFixture) -> None:
    ours, theirs = side(isotherm_driver, name), side(driver, name)
    query = statement(b"key")
    query.prepared_statement = SimpleNamespace(query_string="SELECT v FROM t WHERE k = ?", column_metadata=[column])
    for _ in range(20):
        assert outcome(ours, query) == outcome(theirs, query)
    assert getattr(ours, "failures", 0) == ours.plans_by_driver == 0
    assert caplog.records == []
