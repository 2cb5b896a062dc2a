# SPDX-License-Identifier: Apache-2.0
"""A setting that is changed while the node runs outlives it if asked to, and says what the file says."""

from typing import Any

import pytest
import yaml
from cassandra import InvalidRequest
from plugin_views import LogMark, change_setting
from shared_cluster import SharedCluster

pytestmark = pytest.mark.contract

NODE = 1
NAME = "limit.enabled"
SHARES = "limit.fair_share"


def setting(cluster: SharedCluster, name: str = NAME) -> Any:
    return cluster.session(NODE).execute("SELECT * FROM isotherm.settings WHERE name = %s", (name,)).one()


def keep(cluster: SharedCluster, name: str, kept: bool) -> None:
    cluster.session(NODE).execute("UPDATE isotherm.settings SET kept = %s WHERE name = %s", (kept, name))


def keep_as(cluster: SharedCluster, name: str, value: str) -> None:
    cluster.session(NODE).execute("UPDATE isotherm.settings SET value = %s, kept = true WHERE name = %s", (value, name))


def in_file(cluster: SharedCluster) -> dict[str, str]:
    """Return the words as they stand: YAML takes on and off for truth values."""
    text = (cluster.nodes[NODE].directory / "kept.yaml").read_text()
    return yaml.load(text, Loader=yaml.BaseLoader) or {}


@pytest.mark.long
def test_a_change_ends_with_the_process_unless_it_is_kept(shared_cluster: SharedCluster):
    cluster = shared_cluster
    fresh = setting(cluster)
    fresh_shares = setting(cluster, SHARES).value
    assert (fresh.value, fresh.file, fresh.kept) == ("true", "true", False)
    change_setting(cluster.session(NODE), "queue.enabled", "false")
    keep_as(cluster, NAME, "false")
    changed = setting(cluster)
    assert (changed.value, changed.file, changed.kept) == ("false", "true", True)
    assert changed.since > fresh.since
    keep_as(cluster, SHARES, "on")
    assert in_file(cluster) == {NAME: "false", SHARES: "on"}

    cluster.restart(NODE)
    later = setting(cluster)
    assert (later.value, later.file, later.kept) == ("false", "true", True)
    assert later.since > changed.since
    forgotten = setting(cluster, "queue.enabled")
    assert (forgotten.value, forgotten.kept) == ("true", False)

    shares = setting(cluster, SHARES)
    assert (shares.value, shares.file, shares.kept) == ("on", fresh_shares, True)
    keep(cluster, SHARES, False)
    change_setting(cluster.session(NODE), SHARES, fresh_shares)

    change_setting(cluster.session(NODE), NAME, "true")
    assert in_file(cluster) == {NAME: "true"}
    keep(cluster, NAME, False)
    assert in_file(cluster) == {}
    assert not setting(cluster).kept


def test_what_cannot_be_kept_is_refused(shared_cluster: SharedCluster):
    with pytest.raises(InvalidRequest) as refusal:
        keep(shared_cluster, "guard.out_of_reads", True)
    assert "guard.out_of_reads: kept: true is refused; allowed: false" in str(refusal.value)
    with pytest.raises(InvalidRequest) as refusal:
        shared_cluster.session(NODE).execute("UPDATE isotherm.settings SET file = 'x' WHERE name = 'limit.enabled'")
    assert "file: x is refused; allowed: the columns value and kept" in str(refusal.value)


def test_nobody_complains(shared_cluster: SharedCluster, marks: list[LogMark]):
    shared_cluster.assert_nothing_failed(marks)
