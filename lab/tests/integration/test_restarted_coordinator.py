# SPDX-License-Identifier: Apache-2.0
"""A coordinator restarts while another node is slow: it compares that one with others, as those do that run on."""

from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel
from shared_cluster import FIRST_ADDRESS, PATIENT, SharedCluster
from waiting import until

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.orders import order_all
from isotherm_lab.cluster.variants import variant
from isotherm_lab.experiments.gray.faults import LATE_MS

pytestmark = pytest.mark.long

KEYS = range(30)
RESTARTED, WELL, LATE = 0, 1, 2
#: Nodes that have run for so long are not cold for having restarted.
RAN_MS = 3_600_000
_AHEAD = "-Disotherm.lab.clock.ahead_ms="


@pytest.fixture
def cluster() -> Iterator[SharedCluster]:
    """Three nodes that have run for an hour, by their clocks."""
    clocks = {"cassandra.clock": "dev.isotherm.lab.SteppedClock", "isotherm.lab.clock.ahead_ms": str(-RAN_MS)}
    # A node that pauses on a busy machine is not what is watched, and equal heats keep the order of the snitch.
    quiet = {"dynamic_snitch": False, "heat": {"enabled": False}, "warming": {"enabled": False}}
    made = Cluster.create(
        "integration-restarted", [variant("isotherm")] * 3, isotherm_overrides=quiet, properties=clocks,
        first_address=FIRST_ADDRESS, overrides=PATIENT,
    )  # fmt: skip
    shared = SharedCluster(made)
    with made:
        made.start()
        order_all(made.nodes, "clock", "0")
        try:
            yield shared
        finally:
            shared.close()


def state_at(cluster: SharedCluster, coordinator: int) -> str:
    """Read each key a few times through this coordinator; return what its guard then says of the late node."""
    for _ in range(3):
        cluster.read(coordinator, "guarded", KEYS, ConsistencyLevel.QUORUM)
    rows = cluster.session(coordinator).execute("SELECT address, guard FROM isotherm.replicas")
    return next((row.guard for row in rows if row.address == cluster.nodes[LATE].address), "unknown")


def test_a_node_that_was_slow_before_is_avoided(cluster: SharedCluster):
    cluster.fresh_keyspace(replication=3)
    cluster.fill("guarded", KEYS)
    order_all([cluster.nodes[LATE]], "late", str(LATE_MS))
    until(lambda: state_at(cluster, RESTARTED) == "avoided", "it is avoided by a coordinator that runs")

    def set_the_clock_right() -> None:
        node = cluster.nodes[RESTARTED]
        node.command = [each for each in node.command if not each.startswith(_AHEAD)]

    cluster.restart(RESTARTED, set_the_clock_right)
    until(lambda: state_at(cluster, RESTARTED) == "avoided", "it is avoided by one that has just started", timeout_s=30)
