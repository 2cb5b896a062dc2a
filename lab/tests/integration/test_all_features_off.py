# SPDX-License-Identifier: Apache-2.0
"""With all features off the plugin does nothing on a node, and acts at once when one is switched on again."""

import time
from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel
from cassandra.cluster import Session
from cassandra.protocol import ConfigurationException
from plugin_views import change_setting, counts
from shared_cluster import SharedCluster
from waiting import until

pytestmark = pytest.mark.long

KEYS = range(50)
#: Twice the timeout of a request, which this cluster has at 10 s; a look each second; a pause of a node of some.
IDLE_S = 25
FEATURES = ("guard.enabled", "heat.enabled", "limit.enabled", "queue.enabled", "warming.enabled")
#: Those that this cluster starts with.
ON = ("heat.enabled", "limit.enabled", "queue.enabled")


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """A table with a limit of one read a second for each partition."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("limited", KEYS, "per_partition_rate_limit = {'max_reads_per_second': 1}")
    yield shared_cluster
    for index in range(3):
        for feature in ON:
            change_setting(shared_cluster.session(index), feature, "true")


def _sampled(cluster: SharedCluster) -> int:
    return sum(counts(cluster.session(index))["ReadsSampled"] for index in range(3))


def _samples_more(cluster: SharedCluster) -> bool:
    before = _sampled(cluster)
    cluster.read(0, "limited", KEYS, ConsistencyLevel.ALL)
    return _sampled(cluster) > before


def _hammered(cluster: SharedCluster) -> None:
    for _ in range(200):
        cluster.read(0, "limited", [1], ConsistencyLevel.QUORUM)


def _limited(session: Session) -> list[str]:
    query = (
        "SELECT partition_key FROM isotherm.limited_partitions WHERE keyspace_name = 'lab' AND table_name = 'limited'"
    )
    return [row.partition_key for row in session.execute(query)]


def test_nothing_is_looked_at_until_a_feature_is_switched_on(cluster: SharedCluster):
    cluster.session(0).execute(
        "INSERT INTO isotherm.limited_partitions (keyspace_name, table_name, partition_key, max_reads_per_second,"
        " until) VALUES ('lab', 'limited', '7', 1000000, toTimestamp(now()) + 1h)"
    )
    for index in range(3):
        for feature in FEATURES:
            change_setting(cluster.session(index), feature, "false")
    time.sleep(IDLE_S)
    assert _limited(cluster.session(0)) == ["7"], "limits that are kept are shown"
    before = _sampled(cluster)
    for _ in range(5):
        cluster.read(0, "limited", KEYS, ConsistencyLevel.ALL)
    _hammered(cluster)
    assert _sampled(cluster) == before

    change_setting(cluster.session(0), "limit.enabled", "true")
    with pytest.raises(ConfigurationException):
        _hammered(cluster)
    for index in range(3):
        change_setting(cluster.session(index), "limit.enabled", "false")
        change_setting(cluster.session(index), "heat.enabled", "true")
    until(lambda: _samples_more(cluster), "reads are sampled again")
