# SPDX-License-Identifier: Apache-2.0
"""A node with the plugin among nodes without it: everything works, and heat says nothing."""

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from plugin_views import LogMark, counts
from shared_cluster import FIRST_NODE_ONLY, SharedCluster

pytestmark = [pytest.mark.contract, pytest.mark.begins_with(*FIRST_NODE_ONLY)]

READ_LEVELS = ["ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_ONE", "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL",
               "LOCAL_SERIAL"]  # fmt: skip
WRITE_LEVELS = ["ANY", *(level for level in READ_LEVELS if "SERIAL" not in level)]


def at(query: str, level: str, serial: str | None = None) -> SimpleStatement:
    return SimpleStatement(
        query,
        consistency_level=ConsistencyLevel.name_to_value[level],
        serial_consistency_level=ConsistencyLevel.name_to_value[serial] if serial else None,
    )


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("plain", range(10))
    return shared_cluster


@pytest.mark.parametrize("coordinator", [0, 1], ids=["plugin", "stock"])
def test_every_level_works_through_every_coordinator(cluster: SharedCluster, coordinator: int):
    session = cluster.session(coordinator)
    for number, level in enumerate(WRITE_LEVELS):
        session.execute(at("INSERT INTO lab.plain (key, value) VALUES (%s, %s)", level), (1000 + number, number))
    for level in READ_LEVELS:
        assert session.execute(at("SELECT value FROM lab.plain WHERE key = 5", level)).one().value == 5
    for number, serial in enumerate(["SERIAL", "LOCAL_SERIAL"]):
        key = 2000 + 10 * coordinator + number
        insert = f"INSERT INTO lab.plain (key, value) VALUES ({key}, 1) IF NOT EXISTS"
        assert session.execute(at(insert, "QUORUM", serial)).one().applied
        assert not session.execute(at(insert, "QUORUM", serial)).one().applied


def test_heat_says_nothing(cluster: SharedCluster):
    session = cluster.session(0)
    before = counts(session)
    cluster.read(0, "plain", [key % 10 for key in range(200)])
    after = counts(session)
    assert after["BalancedReads"] == before["BalancedReads"]
    assert after["UnchangedReads"] - before["UnchangedReads"] == 200


def test_nobody_complains(cluster: SharedCluster):
    cluster.assert_nothing_failed(LogMark(node, 0) for node in cluster.nodes)
