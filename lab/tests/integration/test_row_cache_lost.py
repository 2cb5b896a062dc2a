# SPDX-License-Identifier: Apache-2.0
"""A process that restarts loses its row cache and not the page cache: its node has its share of the reads at once."""

import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from coordinators import Coordinators
from plugin_views import heat
from shared_cluster import FIRST_ADDRESS, PATIENT
from waiting import until

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import row_table
from isotherm_lab.data.row_table import RowDataset
from isotherm_lab.experiments.loading import loading
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.load.read_load import ReadLoadSettings
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.progress import wait_until

pytestmark = pytest.mark.long

NODES = 3
SEED = 5
#: So many that a node with an empty row cache misses most of its reads for as long as is watched.
DATA = RowDataset(keys=20_000, value_bytes=500, service_us=0, parallel=0, row_cache=True, slow_disk=False)
RATE = 150
SETTLES_S = 15
#: A node whose reads cost no more has an equal share (`warm_read`), and so has one that is so near to the others.
WARM_US = 500
EQUAL = 0.7
WATCH_S = 15
#: A third of the reads is its share. By the row cache's misses it would have a fortieth, or what half of a disk bears.
LEAST_SHARE = 0.28
LEAST_MISSES = 0.5
#: The probe writes once a second.
PROBE_S = 1.5


def has_an_equal_share(known: dict[str, Any], address: str) -> bool:
    """Whether it has by these rows of isotherm.heat. Shares are not shown while nothing is drawn, as among equals."""
    costs = {replica: row.cost_us for replica, row in known.items()}
    if len(costs) < NODES or None in costs.values():
        return False
    return costs[address] <= WARM_US or costs[address] * EQUAL <= min(costs.values())


def test_a_node_whose_row_cache_alone_is_empty_has_its_share(tmp_path: Path):
    cluster = Cluster.create(
        "integration-row-cache", [variant("isotherm")] * NODES, overrides={"row_cache_size": "128MiB"} | PATIENT,
        first_address=FIRST_ADDRESS,
        # A node that pauses on a busy machine would lose reads to others.
        isotherm_overrides={"guard": {"enabled": False}},
    )  # fmt: skip
    with cluster:
        cluster.start()
        with loading(cluster) as session:
            row_table.create(session, DATA, NODES)
            row_table.fill(session, DATA, SEED)
        with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
            row_table.read(session, np.arange(DATA.keys))
        settings = ReadLoadSettings(
            contact_points=cluster.contact_points(), directory=str(tmp_path), rate=RATE, keys=DATA.keys, seed=SEED
        )
        with LoadProcess(settings) as load:
            load.wait_until_sending()
            wait_until(time.time() + SETTLES_S, load.check)
            restarted = cluster.nodes[-1]
            restarted.stop()
            restarted.start()
            cluster.save()
            answers = restarted.wait_until_answers()
            # From then on the others count it as cold, until it has served reads enough to know that none needs a disk.
            cluster.order("peers", str(NODES))
            with closing(Coordinators()) as coordinators:
                for each in cluster.contact_points():
                    session = coordinators.at(each)
                    until(
                        lambda session=session: has_an_equal_share(heat(session, "rows"), restarted.address),
                        f"{each} gives it an equal share",
                    )
            begin = time.time()
            print(f"its share {begin - answers:.1f} s after its first answer")
            wait_until(begin + WATCH_S, load.check)
            time.sleep(PROBE_S)
            load.stop()

    def rate(node, column: str) -> float:
        return NodeCounters.of_node(node.directory).rate(column, begin, begin + WATCH_S)

    reads = [rate(node, "reads") for node in cluster.nodes]
    misses, hits = (rate(restarted, f"row_cache_{what}") for what in ("misses", "hits"))
    assert misses / (misses + hits) > LEAST_MISSES, (misses, hits)
    assert reads[-1] / sum(reads) > LEAST_SHARE, reads
