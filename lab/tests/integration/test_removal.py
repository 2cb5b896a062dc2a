# SPDX-License-Identifier: Apache-2.0
"""The plugin is taken off a node again: it is plain Cassandra, and the cluster serves."""

from cassandra import ConsistencyLevel
from plugin_views import LogMark, counts
from story import PLUGIN, ROW_CACHE, STOCK, Story


def test_a_node_without_the_plugin_again(everywhere: Story):
    everywhere.fresh_keyspace(replication=3)
    everywhere.fill("plain", range(50), ROW_CACHE)
    everywhere.install(2, STOCK)
    mark = LogMark.end_of(everywhere.nodes[0])
    keyspaces = {row.keyspace_name for row in everywhere.session(2).execute(
        "SELECT keyspace_name FROM system_virtual_schema.keyspaces")}  # fmt: skip
    assert "isotherm" not in keyspaces
    for index in range(3):
        for level in (ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL):
            everywhere.read(index, "plain", range(50), level)
    assert everywhere.cluster.variants == [PLUGIN, PLUGIN, STOCK]
    assert mark.complaints() == []


def test_its_replica_groups_keep_the_order_of_the_snitch_once_it_is_silent(everywhere: Story):
    """Until `stale_after` it is believed cold, as it was when it restarted; a table made since knows no heat of it."""
    everywhere.fill("later", range(50), ROW_CACHE)
    before = counts(everywhere.session(0))
    everywhere.read(0, "later", range(50), ConsistencyLevel.QUORUM)
    after = counts(everywhere.session(0))
    assert after["UnchangedReads"] - before["UnchangedReads"] == 50
    assert after["BalancedReads"] == before["BalancedReads"]
