# SPDX-License-Identifier: Apache-2.0
"""The nodes run the release of Cassandra that was chosen, and the plugin has started on it."""

import pytest
from plugin_views import LogMark, counts
from shared_cluster import SharedCluster

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.classpath import cassandra_class_path

pytestmark = pytest.mark.contract

FEATURES = {"heat", "guard", "limit", "queue", "warming"}


def test_every_node_runs_the_release_that_was_chosen(shared_cluster: SharedCluster):
    release = releases.chosen() or releases.of(cassandra_class_path())
    for index in range(len(shared_cluster.nodes)):
        row = shared_cluster.session(index).execute("SELECT release_version FROM system.local").one()
        assert row.release_version == release


def test_the_plugin_has_started_with_all_its_features(shared_cluster: SharedCluster):
    line = releases.line_of(releases.of(cassandra_class_path()))
    for index, node in enumerate(shared_cluster.nodes):
        log = LogMark(node, 0)
        assert any(f"Isotherm for Cassandra {line} started" in text for text in log.lines("dev.isotherm"))
        rows = shared_cluster.session(index).execute("SELECT name FROM isotherm.settings")
        assert {row.name.removesuffix(".enabled") for row in rows if row.name.endswith(".enabled")} == FEATURES
        assert not any("is switched off on this node" in text for text in log.complaints())
        assert counts(shared_cluster.session(index))["Failures"] == 0
