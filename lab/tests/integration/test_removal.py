# SPDX-License-Identifier: Apache-2.0
"""The plugin is taken off a node again: it is plain Cassandra, and the cluster serves."""

import pytest
from cassandra import ConsistencyLevel
from cassandra.protocol import SyntaxException
from plugin_views import LogMark, counts, partition_limits
from shared_cluster import EVERY_NODE, PLUGIN, ROW_CACHE, STOCK, SharedCluster

pytestmark = [
    pytest.mark.contract,
    pytest.mark.long,
    pytest.mark.begins_with(*EVERY_NODE),
    pytest.mark.leaves(PLUGIN, PLUGIN, STOCK),
]


def test_a_node_without_the_plugin_again(shared_cluster: SharedCluster):
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("plain", range(50), ROW_CACHE)
    shared_cluster.fill("limited", range(50), "per_partition_rate_limit = {'max_reads_per_second': 200}")
    shared_cluster.install(2, STOCK)
    mark = LogMark.end_of(shared_cluster.nodes[0])
    keyspaces = {row.keyspace_name for row in shared_cluster.session(2).execute(
        "SELECT keyspace_name FROM system_virtual_schema.keyspaces")}  # fmt: skip
    assert "isotherm" not in keyspaces
    for index in range(3):
        for level in (ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL):
            shared_cluster.read(index, "plain", range(50), level)
    assert shared_cluster.cluster.variants == [PLUGIN, PLUGIN, STOCK]
    assert mark.complaints() == []


def test_its_replica_groups_keep_the_order_of_the_snitch_once_it_is_silent(shared_cluster: SharedCluster):
    """Until `stale_after` it is believed cold, as it was when it restarted; a table made since knows no heat of it."""
    shared_cluster.fill("later", range(50), ROW_CACHE)
    before = counts(shared_cluster.session(0))
    shared_cluster.read(0, "later", range(50), ConsistencyLevel.QUORUM)
    after = counts(shared_cluster.session(0))
    assert after["UnchangedReads"] - before["UnchangedReads"] == 50
    assert after["BalancedReads"] == before["BalancedReads"]


def test_it_serves_a_table_with_a_limit_and_keeps_the_limit_in_the_schema(shared_cluster: SharedCluster):
    stock = shared_cluster.session(2)
    for level in (ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL):
        shared_cluster.read(2, "limited", range(50), level)
    with pytest.raises(SyntaxException, match="Unknown property 'per_partition_rate_limit'"):
        stock.execute("ALTER TABLE lab.limited WITH per_partition_rate_limit = {}")
    stock.execute("ALTER TABLE lab.limited WITH comment = 'altered without the plugin'")
    for index in (0, 1):
        assert partition_limits(shared_cluster.session(index), "limited") == {
            "max_reads_per_second": 200,
            "dry_run": False,
        }
    shared_cluster.session(0).execute(
        "ALTER TABLE lab.limited WITH per_partition_rate_limit = {'max_writes_per_second': 8}"
    )
    assert partition_limits(shared_cluster.session(1), "limited") == {"max_writes_per_second": 8, "dry_run": False}
    shared_cluster.session(0).execute("ALTER TABLE lab.limited WITH per_partition_rate_limit = {}")
    text = stock.execute("DESCRIBE TABLE lab.limited").one().create_statement
    assert "comment = 'altered without the plugin'" in text
    assert "extensions = {}" in text
