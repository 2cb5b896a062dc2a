# SPDX-License-Identifier: Apache-2.0
"""Whether the next node of a rolling restart may restart, as each node sees it, and the script that waits for it."""

from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from cassandra import ConsistencyLevel
from gossip_states import SCHEMA, publish
from plugin_views import LogMark, hit_ratios
from shared_cluster import ROW_CACHE, SharedCluster
from wait_warm import wait_warm, waited
from waiting import until

from isotherm_lab.cluster import control

KEYS = range(200)
RESTARTED, OBSERVER = 2, 0
#: From this hit ratio on what a read costs is the least that counts.
WARM = 0.96


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("cached", KEYS, ROW_CACHE)
    return shared_cluster


def rollouts(cluster: SharedCluster, observer: int) -> list[Any]:
    """Return what one node sees of each, at one moment."""
    rows = {row.address: row for row in cluster.session(observer).execute("SELECT * FROM isotherm.rollout")}
    return [rows[address] for address in cluster.addresses]


def rollout(cluster: SharedCluster, observer: int, index: int) -> Any:
    """Return what one node sees of another."""
    return rollouts(cluster, observer)[index]


def read_all(cluster: SharedCluster) -> None:
    cluster.read(OBSERVER, "cached", KEYS, ConsistencyLevel.ALL)


def all_safe(cluster: SharedCluster) -> bool:
    """Whether all are warm, and not only as cold as each other, which is as safe."""
    read_all(cluster)
    ratios = [hit_ratios(cluster.session(observer), "cached") for observer in range(3)]
    # A node tells of a table once it has served reads of it for a while.
    return all(len(seen) == 3 and min(ratio or 0 for ratio in seen.values()) > WARM for seen in ratios) and all(
        rollout(cluster, observer, index).safe_to_restart_next and rollout(cluster, observer, index).coldest_table
        for observer in range(3)
        for index in range(3)
    )


@pytest.mark.contract
def test_warm_nodes_let_the_next_one_restart(cluster: SharedCluster):
    until(lambda: all_safe(cluster), "every node sees all nodes warm", timeout_s=60)
    row = rollout(cluster, OBSERVER, RESTARTED)
    assert row.up
    assert row.schema_agreed
    assert row.hints_owed_bytes == 0
    assert row.coldest_table == "lab.cached"
    assert row.cost_times_peers <= 2


@pytest.mark.contract
def test_it_tells_how_a_coordinators_reads_are_shared_among_warm_nodes(cluster: SharedCluster):
    until(lambda: all_safe(cluster), "every node sees all nodes warm", timeout_s=60)

    def told() -> list[list[float]] | None:
        cluster.read(OBSERVER, "cached", KEYS, ConsistencyLevel.QUORUM)
        rows = rollouts(cluster, OBSERVER)
        shares = [[row.share_wanted for row in rows], [row.share_sent for row in rows]]
        return shares if None not in shares[0] + shares[1] else None

    for shares in until(told, "node 1 tells the shares of its reads"):
        assert sum(shares) == pytest.approx(1, abs=1e-6)

    def even() -> bool:
        both = told()
        return both is not None and all(shares == pytest.approx([1 / 3] * 3, abs=0.1) for shares in both)

    # While the others are not known to coordinate nothing, node 1 keeps half of the contacts of its reads to itself.
    until(even, "node 1 shares its reads among all three", timeout_s=60)


@pytest.mark.contract
def test_a_node_of_another_schema_holds_up_the_next_one(cluster: SharedCluster):
    node = cluster.nodes[RESTARTED]
    own = cluster.session(RESTARTED).execute("SELECT schema_version FROM system.local").one().schema_version
    publish(node, SCHEMA, str(uuid4()))
    try:

        def disagrees() -> Any:
            row = rollout(cluster, OBSERVER, RESTARTED)
            return None if row.schema_agreed else row

        row = until(disagrees, "node 1 sees that the schema of node 3 is another")
        assert not row.safe_to_restart_next
        assert row.reason == "its schema is not this node's"
    finally:
        publish(node, SCHEMA, str(own))
    until(lambda: rollout(cluster, OBSERVER, RESTARTED).schema_agreed, "node 1 sees that the schemas agree")


@pytest.mark.contract
@pytest.mark.long
def test_a_restarted_node_holds_up_the_next_one_until_it_is_warm(cluster: SharedCluster):
    until(lambda: all_safe(cluster), "every node sees all nodes warm", timeout_s=60)
    before: datetime = rollout(cluster, OBSERVER, RESTARTED).up_since

    def while_down() -> None:
        def seen_down() -> bool:
            row = rollout(cluster, OBSERVER, RESTARTED)
            return not row.up and not row.safe_to_restart_next and row.reason == "it is down"

        until(seen_down, "the others see that it is down")
        session = cluster.session(OBSERVER)
        for key in KEYS:
            session.execute(f"INSERT INTO lab.cached (key, value) VALUES ({key}, 7)")
        until(lambda: rollout(cluster, OBSERVER, RESTARTED).hints_owed_bytes > 0, "hints are owed to it")
        assert rollout(cluster, OBSERVER, 1).safe_to_restart_next
        # Else they might be delivered before anybody looks.
        control.order(cluster.nodes[OBSERVER], "hints", "hold")

    def held_up_by_hints() -> bool:
        row = rollout(cluster, OBSERVER, RESTARTED)
        return not row.safe_to_restart_next and row.reason == f"hints of {row.hints_owed_bytes} bytes wait for it"

    try:
        cluster.restart(RESTARTED, while_down)
        until(held_up_by_hints, "it is held up by the hints that node 1 owes it")
    finally:
        control.order(cluster.nodes[OBSERVER], "hints", "deliver")
    # No read since: it is as cold as it was when it started.
    until(lambda: rollout(cluster, OBSERVER, RESTARTED).hints_owed_bytes == 0, "it has got its hints", timeout_s=60)
    row = rollout(cluster, OBSERVER, RESTARTED)
    assert row.up
    assert row.up_since > before
    assert not row.safe_to_restart_next
    assert row.reason.startswith("it is cold: a read of lab.cached costs it ")
    assert row.cost_times_peers > 2

    hasty = waited(cluster.addresses[RESTARTED], 1)
    assert hasty.returncode == 1, hasty.stdout + hasty.stderr
    assert f"{cluster.addresses[RESTARTED]} is not ready after 1 s: it is cold: a read of lab.cached" in hasty.stderr

    patient = wait_warm(cluster.addresses[RESTARTED], 120)
    try:
        until(lambda: all_safe(cluster), "every node sees all nodes warm again", timeout_s=60)
        out, complaint = patient.communicate(timeout=60)
    finally:
        patient.kill()
    assert patient.returncode == 0, out + complaint
    assert out.splitlines()[-1].endswith("the next node may restart: 3 nodes agree")


def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
