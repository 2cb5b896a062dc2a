# SPDX-License-Identifier: Apache-2.0
"""Lightweight transactions keep their replicas in one order also where no driver says which statements they are."""

import pytest
from cassandra.query import PreparedStatement, SimpleStatement
from policy_pairs import LOCAL_DC
from topology import KEYSPACE, TABLE, drained, grid, populated, ring_of

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
