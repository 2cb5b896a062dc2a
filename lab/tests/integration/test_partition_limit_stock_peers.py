# SPDX-License-Identifier: Apache-2.0
"""Limits on the one node that has the plugin, among replicas that have not: it decides, they go on as ever."""

import time

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from partition_limits import CLOSED, RateLimited, decided_by, keys_where, limit
from plugin_views import LogMark, counts
from shared_cluster import FIRST_NODE_ONLY, TABLE_OPTIONS, SharedCluster

pytestmark = [pytest.mark.contract, pytest.mark.begins_with(*FIRST_NODE_ONLY)]

READ = "SELECT * FROM lab.closed WHERE key = {key}"
WRITES = [
    "INSERT INTO lab.closed (key, value) VALUES ({key}, 1)",
    "UPDATE lab.closed SET value = 2 WHERE key = {key}",
    "INSERT INTO lab.closed (key, value) VALUES ({key}, 3) IF NOT EXISTS",
    "BEGIN BATCH INSERT INTO lab.closed (key, value) VALUES ({key}, 4);"
    " INSERT INTO lab.free (key, value) VALUES ({key}, 4); APPLY BATCH",
]
BATCHES = 500
LEVELS = [ConsistencyLevel.ONE, ConsistencyLevel.ALL]


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    """Two replicas of each row, of three nodes."""
    session = shared_cluster.fresh_keyspace(replication=2)
    for table, option in (("closed", f" AND {limit(reads=CLOSED, writes=CLOSED)}"), ("free", "")):
        session.execute(f"CREATE TABLE lab.{table} (key bigint PRIMARY KEY, value int) WITH {TABLE_OPTIONS}{option}")
    session.execute(
        f"CREATE TABLE lab.hits (key bigint PRIMARY KEY, hits counter) WITH {TABLE_OPTIONS} AND {limit(writes=CLOSED)}"
    )
    return shared_cluster


def everything(key: int) -> list:
    queries = [query.format(key=key) for query in [READ, *WRITES]]
    requests = [SimpleStatement(query, consistency_level=level) for query in queries for level in LEVELS]
    requests.append(SimpleStatement(f"UPDATE lab.hits SET hits = hits + 1 WHERE key = {key}"))
    batch = BatchStatement(BatchType.UNLOGGED, consistency_level=ConsistencyLevel.QUORUM)
    for query in WRITES[:2]:
        batch.add(SimpleStatement(query.format(key=key)))
    return [*requests, batch]


def test_a_coordinator_with_the_plugin_rejects_what_is_its_own(cluster: SharedCluster):
    for other in cluster.addresses[1:]:
        key = keys_where(cluster, lambda found, other=other: found == {cluster.addresses[0], other}, 1)[0]
        for request in everything(key):
            with pytest.raises(RateLimited):
                cluster.session(0).execute(request)
        for index in range(3):
            assert not list(cluster.session(index).execute(f"SELECT * FROM lab.free WHERE key = {key}"))


def test_replicas_without_it_decide_nothing(cluster: SharedCluster):
    key = keys_where(cluster, lambda found: found == set(cluster.addresses[1:]), 1)[0]
    before, silent = decided_by(cluster.session(0), "closed", "hits"), counts(cluster.session(0))
    for request in everything(key):
        cluster.session(0).execute(request)
    after = decided_by(cluster.session(0), "closed", "hits")
    assert after["admitted_reads"] - before["admitted_reads"] == len(LEVELS)
    assert after["admitted_writes"] - before["admitted_writes"] == len(everything(key)) - len(LEVELS)
    assert after["rejected_writes"] == before["rejected_writes"]
    # Conditional writes and logged batches ask first; what nobody understands is not answered.
    asked = counts(cluster.session(0))["LimitQuestionsUnanswered"] - silent["LimitQuestionsUnanswered"]
    assert asked == 2 * len(LEVELS)
    read = SimpleStatement(f"SELECT value FROM lab.closed WHERE key = {key}", consistency_level=ConsistencyLevel.ALL)
    assert cluster.session(1).execute(read).one().value == 2


def test_replicas_without_it_are_hardly_asked(cluster: SharedCluster):
    """A ping is all that they understand, and one thread answers it, which gossip needs."""
    key = keys_where(cluster, lambda found: found == set(cluster.addresses[1:]), 1)[0]
    batch = SimpleStatement(WRITES[-1].format(key=key), consistency_level=ConsistencyLevel.ONE)

    def gossiped() -> int:
        query = "SELECT completed_tasks FROM system_views.thread_pools WHERE name = 'GossipStage'"
        return sum(cluster.session(index).execute(query).one().completed_tasks for index in (1, 2))

    before, passed_over = gossiped(), counts(cluster.session(0))["LimitReplicasPassedOver"]
    begun = time.monotonic()
    for _ in range(BATCHES):
        cluster.session(0).execute(batch)
    # What nodes gossip without any request is some ten tasks a second.
    assert gossiped() - before < BATCHES / 2 + 10 * (time.monotonic() - begun)
    assert counts(cluster.session(0))["LimitReplicasPassedOver"] - passed_over > BATCHES


@pytest.mark.parametrize("coordinator", [1, 2])
def test_a_coordinator_without_it_goes_on_as_ever(cluster: SharedCluster, coordinator: int):
    before = decided_by(cluster.session(0), "closed", "hits")
    for addresses in (cluster.addresses[:2], cluster.addresses[1:]):
        key = keys_where(cluster, lambda found, addresses=addresses: found == set(addresses), 1, start=1000)[0]
        for request in everything(key):
            cluster.session(coordinator).execute(request)
    assert decided_by(cluster.session(0), "closed", "hits") == before


def test_nobody_complains(cluster: SharedCluster):
    cluster.assert_nothing_failed(LogMark(node, 0) for node in cluster.nodes)
    for node in cluster.nodes:
        assert LogMark(node, 0).complaints("isotherm.") == []
