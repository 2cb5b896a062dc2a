# SPDX-License-Identifier: Apache-2.0
"""Which statements are reads to the affinity rule: by their text, past what may stand before its first word."""

import pytest
from cassandra.cqltypes import Int32Type
from cassandra.protocol import ColumnMetadata
from cassandra.query import PreparedStatement, SimpleStatement
from queue_aware_policy import queue_aware_over
from topology import TABLE, grid

TEXTS = {
    "SELECT v FROM t WHERE k = ?": True,
    "  select v FROM t": True,
    "/* who */ -- and why\n // of old\n SELECT v FROM t": True,
    "SELECT": True,
    "/**/SELECT v FROM t": True,
    "/*/SELECT v FROM t": False,
    "SELECTED": False,
    "SEL": False,
    "": False,
    "/*": False,
    "--": False,
    "INSERT INTO t (k) VALUES (?) -- SELECT": False,
    "UPDATE t SET v = 1": False,
}


def firsts(query):
    """Return the different first hosts of many plans: one where the statement is a read of one partition."""
    policy = queue_aware_over(grid(1, 1, 3), in_flight=lambda host: None, affinity=True)
    return {next(policy.make_query_plan(None, query)) for _ in range(60)}


@pytest.mark.parametrize("text", TEXTS)
def test_a_simple_statement(text):
    query = SimpleStatement(text, routing_key=b"key", keyspace="ks")
    query.table = TABLE
    assert (len(firsts(query)) == 1) is TEXTS[text]


@pytest.mark.parametrize("text", TEXTS)
def test_a_prepared_statement(text):
    columns = [ColumnMetadata("ks", TABLE, "k", Int32Type)]
    prepared = PreparedStatement(columns, b"id", [0], text, "ks", 4, [], None)
    assert (len(firsts(prepared.bind([1]))) == 1) is TEXTS[text]
