# SPDX-License-Identifier: Apache-2.0
"""Statements of applications that do not say whether they are lightweight transactions: planned as by the driver."""

import traceback
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

LOGGER = "isotherm_driver.policies"


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


class Throwing(SimpleStatement):
    def is_lwt(self) -> bool:
        raise RuntimeError("no idea")


def made(kind: type[SimpleStatement]) -> SimpleStatement:
    query = kind("UPDATE t SET v = 1 WHERE k = 1", routing_key=b"key", keyspace=KEYSPACE)
    query.table = TABLE
    return query


def side(module: ModuleType, name: str) -> Any:
    hosts = grid(2, 1, 6)
    return grown(POLICIES[name](module), ring_of(hosts), hosts)


def outcome(policy: Any, query: Any) -> Any:
    """Return the hosts of a plan, each of which may come once, or the class of what it throws."""
    try:
        plan = drained(policy, query)
    except Exception as problem:
        return type(problem)
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


@EACH_POLICY
def test_a_statement_that_throws_when_it_is_asked_has_the_drivers_plan(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    ours, theirs = side(isotherm_driver, name), side(driver, name)
    for _ in range(20):
        assert outcome(ours, made(Throwing)) == outcome(theirs, made(Throwing))
    assert ours.plans_by_driver == 20
    records = [record for record in caplog.records if record.name == LOGGER]
    assert all("is_lwt" in {frame.name for frame in traceback.extract_tb(each.exc_info[2])} for each in records)
    lines = [record.getMessage() for record in records]
    assert [line.partition(" statements")[0].rpartition(" ")[2] for line in lines] == ["1", "2", "4", "8", "16"]
    assert all("no idea" in line for line in lines)


@EACH_POLICY
def test_it_says_nothing_of_the_next_statement(name: str) -> None:
    ours = side(isotherm_driver, name)
    for _ in range(20):
        outcome(ours, made(Throwing))
        assert outcome(ours, statement(b"key")) == outcome(side(driver, name), statement(b"key"))
    assert ours.plans_by_driver == 20


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver knows no tablets")
def test_neither_where_the_replicas_of_a_tablet_take_turns() -> None:
    from cassandra.tablets import Tablet

    hosts = grid(2, 1, 6)
    ring = ring_of(hosts)
    tablet = Tablet(-(2**63), 2**63 - 1, [(hosts[place].host_id, 0) for place in (1, 7)])
    ring.metadata._tablets.add_tablet(KEYSPACE, TABLE, tablet)
    ours = grown(POLICIES["not shuffled"](isotherm_driver), ring, hosts)
    for number in range(1, 21):
        assert outcome(ours, made(Throwing)) == outcome(ours, statement(b"key"))
        assert ours.plans_by_driver == number
