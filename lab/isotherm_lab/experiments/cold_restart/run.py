# SPDX-License-Identifier: Apache-2.0
"""A node of a warm cluster is restarted with an empty cache, under reads that do not slow down for it.

RF 3, QUORUM, uniformly random keys at a fixed rate, a slow disk or a share of a real one per node. What is compared
is how the cluster deals with the cold node: see cluster/variants.py.
"""

import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.page_cache_storage import page_cache_storage
from isotherm_lab.cluster.variants import Variant
from isotherm_lab.data import row_table
from isotherm_lab.experiments.bounded import bounded
from isotherm_lab.experiments.cold_restart.plan import NAME, RESTARTED, Plan
from isotherm_lab.experiments.cold_restart.result import result
from isotherm_lab.experiments.fare import fare
from isotherm_lab.experiments.loading import loading
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.load.read_load import ReadLoadSettings
from isotherm_lab.measure import samples, series
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.phases import BACK_WINDOWS, Moments, phases
from isotherm_lab.measure.rejoining import LEAST_STAY_S, rejoined_s
from isotherm_lab.progress import Listener, Silent, wait_until

_NODES = 3


def run(plan: Plan, variant: Variant, output: Path, listener: Listener | None = None) -> dict[str, Any]:
    """Run one variant on a fresh cluster; return its part of the summary. The raw series go to `output`."""
    told = listener or Silent()
    output.mkdir(parents=True, exist_ok=True)
    told.step("starting three nodes", 20)
    cluster = Cluster.create(
        NAME,
        [variant] * _NODES,
        heat_source=plan.heat_source,
        overrides=node_settings(plan),
        full_compilation=plan.full_compilation,
        storage=plan.page_cache and page_cache_storage(plan.page_cache),
    )
    with cluster:
        cluster.start(told.note)
        prepare(cluster, plan, told)
        moments = _measure(cluster, plan, output, told)
    return _conclude(cluster, plan, moments, output)


def node_settings(plan: Plan) -> dict[str, Any]:
    """Return what cassandra.yaml says of the caches of the plan."""
    if plan.page_cache:
        # As in a default cassandra.yaml, neither is there: what is cached is what the operating system caches. A new
        # segment of the commit log is in the page cache as a whole, for ten seconds to a minute, on all nodes when one
        # of them leaves or returns: of gigabytes that is little, of these MiB two segments of 8 would be a fifth.
        return {"row_cache_size": "0MiB", "file_cache_enabled": False, "commitlog_segment_size": "1MiB"}
    if plan.data.row_cache:
        return {"row_cache_size": f"{plan.row_cache_mib}MiB", "file_cache_enabled": False}
    # Cassandra keeps 32 MiB of the file cache for buffers; the rest holds chunks.
    return {"row_cache_size": "0MiB", "file_cache_enabled": True, "file_cache_size": f"{32 + plan.row_cache_mib}MiB"}


def prepare(cluster: Cluster, plan: Plan, told: Listener) -> None:
    """Load, flush, and fill the caches; the disk is fast meanwhile."""
    told.step("loading", 8)
    with loading(cluster) as session:
        row_table.create(session, plan.data, _NODES)
        row_table.fill(session, plan.data, plan.seed)
    if not plan.page_cache:  # what was written is in the page cache already
        with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
            told.step("warming every node", 12)
            keys = np.random.default_rng(plan.seed + 1).permutation(plan.data.keys)
            row_table.read(session, keys)
    # With the consistency of the experiment each node then keeps what the variant lets it see.
    with connected(cluster.contact_points(), "QUORUM", timeout_s=30) as session:
        told.step("warming as read", 20)
        source = np.random.default_rng(plan.seed + 2)
        with bounded(cluster):
            row_table.read(session, source.integers(0, plan.data.keys, 2 * plan.data.keys))
    cluster.storage.slow(cluster.nodes)


def coordinators(cluster: Cluster, plan: Plan) -> list[str]:
    """Return the nodes to which clients talk."""
    return [address for address in cluster.contact_points() if plan.restarted_coordinates or address != RESTARTED]


def _measure(cluster: Cluster, plan: Plan, output: Path, told: Listener) -> Moments:
    settings = ReadLoadSettings(
        contact_points=coordinators(cluster, plan), directory=str(output), rate=plan.rate, keys=plan.data.keys,
        seed=plan.seed, only=not plan.restarted_coordinates,
    )  # fmt: skip
    with LoadProcess(settings) as load, bounded(cluster):
        load.wait_until_sending()

        def watch() -> None:
            load.check()
            told.note(fare(load.latest))

        told.step("settling", plan.settle_s)
        wait_until(time.time() + plan.settle_s, watch)
        told.step("before", plan.before_s)
        before = time.time()
        wait_until(before + plan.before_s, watch)

        told.step(f"{RESTARTED} is down", plan.off_s + 8)
        node = next(node for node in cluster.nodes if node.address == RESTARTED)
        down = time.time()
        node.stop()
        cluster.storage.cool(node)
        wait_until(down + plan.off_s, watch)
        node.start()
        cluster.save()
        up = node.wait_until_answers()

        told.step(f"{RESTARTED} is back", plan.back_s + LEAST_STAY_S)
        # A little longer than the last window, so that a late return can be seen to last.
        end = up + plan.back_s + LEAST_STAY_S
        wait_until(end + 1, watch)
        load.stop()
    return Moments(before=before, down=down, up=up, end=end)


def _conclude(cluster: Cluster, plan: Plan, moments: Moments, output: Path) -> dict[str, Any]:
    records = samples.read(output / samples.FILE)
    nodes = {node.address: NodeCounters.of_node(node.directory) for node in cluster.nodes}
    windows = [window for window in BACK_WINDOWS if window[1] <= plan.back_s]
    cut = phases(moments, windows)
    back = rejoined_s(nodes, RESTARTED, moments.up, moments.end)
    series.write_latency(output / "latency.csv", records, moments.stretch)
    series.write_nodes(output / "nodes.csv", nodes, moments.stretch)
    series.write_hdr_log(output / "latency.hlog", records, moments.stretch)
    keep_logs(cluster, output)
    return result(cut, records, nodes, plan.heat_source, back, str(plan.storage), RESTARTED)


def keep_logs(cluster: Cluster, output: Path) -> None:
    """Copy the logs of all nodes."""
    for node in cluster.nodes:
        log = node.directory / "logs" / "system.log"
        if log.is_file():
            shutil.copy2(log, output / f"{node.address}.log")
