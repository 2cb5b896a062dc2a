# SPDX-License-Identifier: Apache-2.0
"""Lightweight transactions keep their replicas in one order also where no driver says which statements they are."""

from types import ModuleType
from typing import Any

import pytest
from cassandra import ConsistencyLevel
from cassandra import policies as driver
from cassandra.query import PreparedStatement, SimpleStatement
from policy_pairs import LOCAL_DC, LOCAL_RACK
from topology import IS_SCYLLA, KEYSPACE, TABLE, drained, grid, grown, populated, ring_of, statement

import isotherm_driver

TEXTS = {
    "INSERT INTO t (k, v) VALUES (?, ?) IF NOT EXISTS": True,
    "insert into t (k) values (?) if not exists USING TTL 5": True,
    "UPDATE t SET v = ? WHERE k = ? IF v = ?": True,
    "UPDATE t SET v = 'it''s' WHERE k = ? IF EXISTS": True,
    "DELETE FROM t WHERE k = ? IF\tv > 1": True,
    "DELETE FROM t WHERE k = ?\nIF EXISTS": True,
    "BEGIN BATCH UPDATE t SET v = 1 WHERE k = ? IF v = 0; APPLY BATCH": True,
    "/* SELECT */ UPDATE t SET v = ? WHERE k = ?/**/IF/**/EXISTS": True,
    "INSERT INTO t JSON $$ {'k': 1} $$ IF NOT EXISTS": True,
    "INSERT INTO t (k, v) VALUES (?, ' IF NOT EXISTS')": False,
    "INSERT INTO t (k, v) VALUES (?, 'it''s IF')": False,
    "INSERT INTO t JSON $$ IF it's so $$": False,
    'UPDATE t SET "IF" = ? WHERE k = ?': False,
    "UPDATE t SET if_so = ?, gif = 1, if2 = 2 WHERE k = ?": False,
    "UPDATE t SET v = ? WHERE k = ? -- IF EXISTS": False,
    "UPDATE t SET v = ? WHERE k = ? // IF EXISTS": False,
    "UPDATE t SET v = ? // IF EXISTS\nWHERE k = ? IF EXISTS": True,
    "UPDATE t SET v = ? -- as in ticket 5\rWHERE k = ? IF EXISTS": True,
    "UPDATE t SET v = ? // as in ticket 5\r\nWHERE k = ? IF EXISTS": True,
    "UPDATE t SET v = ? -- IF EXISTS\rWHERE k = ?": False,
    "UPDATE t SET v = ? -- as in ticket 5\rWHERE k = ? // IF\nAND l = ?": False,
    "-- as in ticket 5\rSELECT v FROM t WHERE k = ? AND l = 'IF'": False,
    "UPDATE t SET v = ? /* IF */ WHERE k = ?": False,
    "UPDATE t SET v = 'IF": False,
    "UPDATE t SET v = $$IF": False,
    "UPDATE t /* IF": False,
    "SELECT v FROM t WHERE k = ?": False,
    "I": False,
    "": False,
}


def orders(query, replicas: int = 3) -> set:
    """Return the different orders in which many plans offer the replicas."""
    hosts = grid(1, 1, 5)
    ring = ring_of(hosts)
    child = isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC)
    policy = populated(isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=True), ring, hosts)
    found = {tuple(map(str, drained(policy, query, KEYSPACE)[:replicas])) for _ in range(60)}
    if len(found) == 1:
        assert found == {tuple(map(str, ring.replicas(b"key")))}
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_a_prepared_statement(text: str) -> None:
    prepared = PreparedStatement([], b"id", [0], text, KEYSPACE, 4, [], None)
    bound = prepared.bind([])
    bound._routing_key = b"key"
    bound.table = TABLE
    assert (len(orders(bound)) == 1) is TEXTS[text]


@pytest.mark.parametrize("text", TEXTS)
def test_a_simple_statement(text: str) -> None:
    query = SimpleStatement(text, routing_key=b"key", keyspace=KEYSPACE)
    query.table = TABLE
    assert (len(orders(query)) == 1) is TEXTS[text]


CHILDREN = {
    "DCAware": lambda m: m.DCAwareRoundRobinPolicy(LOCAL_DC, 2),
}
if IS_SCYLLA:
    CHILDREN["RackAware"] = lambda m: m.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, 2)


@pytest.mark.parametrize("name", CHILDREN)
@pytest.mark.parametrize("shuffle_replicas", [True, False])
@pytest.mark.parametrize("replicated_in", [[LOCAL_DC], [LOCAL_DC, "dc3"]])
def test_without_a_live_local_host_remote_ones_come_as_with_the_drivers_policy(
    name: str, shuffle_replicas: bool, replicated_in: list[str]
) -> None:
    hosts = grid(3, 1, 3)
    ring = ring_of(hosts)
    ring.replicate("NetworkTopologyStrategy", dict.fromkeys(replicated_in, "3"))
    for each in hosts[:3]:
        each.set_down()

    def of(module: ModuleType) -> Any:
        policy = grown(module.TokenAwarePolicy(CHILDREN[name](module), shuffle_replicas), ring, hosts)
        for each in hosts[:3]:
            policy.on_down(each)
        return policy

    lwt, serial_read = statement(b"key", lwt=True), statement(b"key", consistency_level=ConsistencyLevel.SERIAL)
    text = SimpleStatement("UPDATE t SET v = 1 WHERE k = 1 IF v = 0", routing_key=b"key", keyspace=KEYSPACE)
    text.table = TABLE
    ours, others = of(isotherm_driver), set()
    for query in (lwt, serial_read, text):
        # scylla-driver shuffles remote replicas where only the text tells what it is.
        if not (IS_SCYLLA and shuffle_replicas and query is text and len(replicated_in) > 1):
            assert drained(ours, query) == drained(of(driver), query)
        assert len({tuple(drained(ours, query)) for _ in range(60)}) == 1
        others |= {drained(ours, statement(b"key"))[-1] for _ in range(60)}
    assert len(others) > 1


def test_a_plan_that_another_thread_advances_while_its_statement_is_asked_offers_nobody_twice() -> None:
    hosts = grid(2, 1, 3)
    ring = ring_of(hosts, factor=1)
    policy = grown(isotherm_driver.TokenAwarePolicy(CHILDREN["DCAware"](isotherm_driver), False), ring, hosts)
    meanwhile: list[Any] = []

    class Asked(SimpleStatement):
        asked = False

        def is_lwt(self) -> bool:
            if not self.asked:
                self.asked = True
                meanwhile.append(next(plan))
            return False

    query = Asked("UPDATE", routing_key=b"key", keyspace=KEYSPACE)
    query.table = TABLE
    plan = iter(policy.make_query_plan(None, query))
    offered = list(plan)
    assert len(meanwhile) == 1
    assert len(offered + meanwhile) == len({*offered, *meanwhile}) == 5


def test_the_text_is_read_once_for_each_prepared_statement() -> None:
    class Once(PreparedStatement):
        reads = 0

        @property
        def query_string(self) -> str:
            self.reads += 1
            return "UPDATE t SET v = ? WHERE k = ? IF v = ?"

        @query_string.setter
        def query_string(self, text: str) -> None:
            pass

    prepared = Once([], b"id", [0], "", KEYSPACE, 4, [], None)
    for _ in range(3):
        bound = prepared.bind([])
        bound._routing_key = b"key"
        bound.table = TABLE
        assert len(orders(bound)) == 1
    assert prepared.reads == 1
