# SPDX-License-Identifier: Apache-2.0
"""All disks become as slow: once that shows nobody avoids a node for what it was, and each serves its share."""

import time
from pathlib import Path

import numpy as np
import pytest
from coordinators import Coordinators
from plugin_views import counts
from shared_cluster import FIRST_ADDRESS
from waiting import until

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import partition_table
from isotherm_lab.experiments.hot_partition import clients
from isotherm_lab.experiments.hot_partition.plan import SHORT
from isotherm_lab.experiments.loading import loading
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.progress import wait_until

pytestmark = pytest.mark.long

NODES = 3
#: The usual is learnt with disks that are fast.
FAST_S = 15
#: In the lab all are used again within twenty seconds.
SHOWS_S = 30
WATCH_S = 15
#: Of the reads that replicas serve: a burst may be late beside what is usual.
MOST_MOVED = 0.01
#: The probe writes once a second.
PROBE_S = 1.5


def test_equal_nodes_read_alike_once_all_disks_have_become_slow(tmp_path: Path):
    cluster = Cluster.create(
        "integration-slow", [variant("isotherm")] * NODES,
        overrides={"file_cache_enabled": False, "row_cache_size": "0MiB", **partition_table.SLOW_WRITES},
        first_address=FIRST_ADDRESS,
    )  # fmt: skip
    sessions = Coordinators()
    with cluster:
        cluster.start()
        with loading(cluster) as session:
            partition_table.create(session, SHORT.data, NODES)
            partition_table.fill(session, SHORT.data, SHORT.seed)

        def avoided() -> list:
            rows = [row for node in cluster.nodes for row in sessions.at(node.address).execute(
                "SELECT * FROM isotherm.replicas")]  # fmt: skip
            return [row for row in rows if row.guard != "used"]

        def moved() -> int:
            return sum(counts(sessions.at(node.address))["GuardMovedReads"] for node in cluster.nodes)

        with LoadProcess(clients.reader(cluster, SHORT, tmp_path)) as load:
            load.wait_until_sending()
            wait_until(time.time() + FAST_S, load.check)
            cluster.order("disk", f"slow {SHORT.slowness}")
            until(lambda: counts(sessions.at(cluster.nodes[0].address))["GuardAvoidances"] > 0, "the guard saw it")
            wait_until(time.time() + SHOWS_S, load.check)
            until(lambda: not avoided(), "every replica is used again")
            moved_before, begin = moved(), time.time()
            wait_until(begin + WATCH_S, load.check)
            end = time.time()
            moved_since = moved() - moved_before
            time.sleep(PROBE_S)
            load.stop()
        sessions.close()

    counters = [NodeCounters.of_node(node.directory) for node in cluster.nodes]
    reads = np.array([each.rate("disk_reads", begin, end) for each in counters])
    served = [each.rate("reads", begin, end) * WATCH_S for each in counters]
    assert reads.min() > 100, reads
    assert np.abs(reads / reads.mean() - 1).max() <= 0.1, reads
    assert moved_since <= MOST_MOVED * sum(served), (moved_since, served)
