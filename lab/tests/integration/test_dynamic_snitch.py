# SPDX-License-Identifier: Apache-2.0
"""What the plugin does not order is in the order of Cassandra's dynamic snitch: it goes around a slow replica."""

from collections.abc import Iterator

import pytest
import yaml
from cassandra import ConsistencyLevel
from coordinators import execute_all
from plugin_views import LogMark, change_setting, counts, heat
from probes import samples_now
from shared_cluster import ROW_CACHE, SharedCluster
from waiting import until

from isotherm_lab.cluster.orders import order_all

pytestmark = pytest.mark.contract

KEYS = range(30)
ROUNDS = 5
#: Keys read through one coordinator before the next one reads them, where all shall coordinate equally many reads.
AHEAD = 10
COORDINATOR, SLOW = 0, 2
LATE_MS = 25
#: Of so many of the keys the slow node is the replica that the operator's snitch has behind the coordinator.
SECOND = 13


def set_dynamic_snitch(cluster: SharedCluster, value: bool) -> None:
    """Restart the coordinator with this value in its isotherm.yaml."""
    file = cluster.nodes[COORDINATOR].directory / "conf" / "isotherm.yaml"

    def write() -> None:
        file.write_text(yaml.safe_dump(yaml.safe_load(file.read_text()) | {"dynamic_snitch": value}))

    cluster.restart(COORDINATOR, write)


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """A table of whose rows each node has a copy, and a slow node, beside a coordinator with the dynamic snitch."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("ordered", KEYS, ROW_CACHE)
    try:
        set_dynamic_snitch(shared_cluster, True)
        order_all([shared_cluster.nodes[SLOW]], "late", str(LATE_MS))
        yield shared_cluster
    finally:
        try:
            order_all([shared_cluster.nodes[SLOW]], "late", "0")
        finally:
            # Later modules count contacts.
            set_dynamic_snitch(shared_cluster, False)


def read(cluster: SharedCluster) -> None:
    for _ in range(ROUNDS):
        cluster.read(COORDINATOR, "ordered", KEYS, ConsistencyLevel.QUORUM)


def measure_all(cluster: SharedCluster) -> None:
    """Read each row from every replica.

    One that answered late while the coordinator had just started would not be read again, and Cassandra's dynamic
    snitch has no other way to see that it no longer does.
    """
    cluster.read(COORDINATOR, "ordered", KEYS, ConsistencyLevel.ALL)


def scan(cluster: SharedCluster) -> None:
    """Read each row by the range of its token."""
    session = cluster.session(COORDINATOR)
    rows = session.execute("SELECT token(key) AS place FROM lab.ordered")
    select = session.prepare("SELECT key FROM lab.ordered WHERE token(key) >= ? AND token(key) <= ?")
    ranges = [(row.place, row.place) for row in rows] * ROUNDS
    execute_all(session, select, ranges, ConsistencyLevel.QUORUM)


def reads_of_slow(cluster: SharedCluster) -> int:
    """Return how many of these reads the slow node has served."""
    measure_all(cluster)
    before = samples_now(cluster.nodes)[SLOW].reads
    read(cluster)
    return samples_now(cluster.nodes)[SLOW].reads - before


def scans_of_slow(cluster: SharedCluster) -> int:
    """Return how many of these scans the slow node has served."""
    measure_all(cluster)
    before = scans_served(cluster)
    scan(cluster)
    return scans_served(cluster) - before


def scans_served(cluster: SharedCluster) -> int:
    rows = cluster.session(SLOW).execute(
        "SELECT count AS scans FROM system_views.local_scan_latency"
        " WHERE keyspace_name = 'lab' AND table_name = 'ordered'"
    )
    row = rows.one()
    return row.scans if row else 0


def test_reads_go_around_a_slow_replica_while_heat_is_off(cluster: SharedCluster):
    change_setting(cluster.session(COORDINATOR), "heat.enabled", "false")
    try:
        until(lambda: reads_of_slow(cluster) <= ROUNDS * SECOND // 8, "hardly any goes there", timeout_s=30)
    finally:
        change_setting(cluster.session(COORDINATOR), "heat.enabled", "true")


def test_scans_go_around_it(cluster: SharedCluster):
    until(lambda: scans_of_slow(cluster) <= ROUNDS * SECOND // 8, "hardly any goes there", timeout_s=30)


def test_equally_warm_replicas_are_read_as_the_operators_snitch_has_it(cluster: SharedCluster):
    """The dynamic snitch would never come back to one that was slow once; to go around it is the guard's."""
    session = cluster.session(COORDINATOR)

    def known() -> bool:
        cluster.read(COORDINATOR, "ordered", KEYS, ConsistencyLevel.ALL)
        rows = heat(session, "ordered")
        return len(rows) == 3 and all(row.source == "cache" for row in rows.values())

    until(known, "the heat of all is known")

    def evenly() -> None:
        """Read each key through each coordinator, none of them more than some reads ahead of the others."""
        for part in range(0, len(KEYS), AHEAD):
            for coordinator in range(3):
                cluster.read(coordinator, "ordered", KEYS[part : part + AHEAD], ConsistencyLevel.QUORUM)

    def reads_it_undrawn() -> bool:
        # Equal replicas are drawn, too, while the nodes do not coordinate equally many reads.
        for _ in range(ROUNDS):
            evenly()
        before, unchanged = samples_now(cluster.nodes)[COORDINATOR], counts(session)["UnchangedReads"]
        evenly()
        sent = samples_now(cluster.nodes)[COORDINATOR].since(before).sent.get(cluster.addresses[SLOW], 0)
        return counts(session)["UnchangedReads"] - unchanged == len(KEYS) and sent == SECOND

    until(reads_it_undrawn, "it serves what it would with the operator's snitch alone", timeout_s=60)


def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
