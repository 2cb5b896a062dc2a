# SPDX-License-Identifier: Apache-2.0
"""A node of a warm cluster is restarted with an empty cache, under reads that do not slow down for it.

RF 3, QUORUM, uniformly random keys at a fixed rate, one slow disk per node. What is compared is how the cluster
deals with the cold node: see variants.py.
"""

import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import Variant
from isotherm_lab.data import row_table
from isotherm_lab.data.row_table import RowDataset
from isotherm_lab.load.open_load import LoadSettings
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure import samples, series, summary
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.phases import BACK_WINDOWS, Moments, phases
from isotherm_lab.measure.rejoining import LEAST_STAY_S, rejoined_s
from isotherm_lab.progress import Listener, Silent, wait_until

NAME = "cold-restart"
RESTARTED = "127.0.0.3"
_NODES = 3


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run; the same plan and seed offer every variant the same reads at the same times."""

    data: RowDataset
    row_cache_mib: int
    rate: float
    settle_s: float = 15
    before_s: float = 25
    #: From the stop to the start of the new process; the phase `down` lasts until that answers CQL.
    off_s: float = 10
    back_s: float = 90
    heat_source: str = "cache"
    seed: int = 20170914
    full_compilation: bool = False

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        return 45 + self.settle_s + self.before_s + self.off_s + 8 + self.back_s + LEAST_STAY_S


#: The cache holds two thirds of the rows. A warm node then misses a third of 2/3 of the reads: with 300 reads/s that
#: is 67/s for a disk that serves 2 / 11 ms = 182/s; with one node down 100/s. A cold node that takes its full part
#: needs 200/s: more than its disk can give. More than half of the QUORUM reads (1 - (2/3)^2) wait for a disk on a warm
#: cluster already, so the median is a disk's service time throughout and does not hang on whether the 50th request
#: in a hundred happened to hit. The disk is slow enough that the processor time of three nodes on two cores is the
#: lesser part of a read.
EXCEEDS = Plan(
    data=RowDataset(keys=6400, value_bytes=1600, service_us=11000, parallel=2, row_cache=True),
    row_cache_mib=7,
    rate=300,
)
#: Everything fits. When the others miss nothing the cold node gets only about 1/41 of the reads (its miss ratio
#: is 1, theirs the floor of 0.05), so how fast it can warm up is bounded: rejoining within 90 s needs
#: keys <= about 1.5 x the replica reads a second. No read waits for a disk here, so that its latency is processor time:
#: the rate is half the other size's, or a node that starts on the same two cores would be all that is measured.
FITS = replace(EXCEEDS, data=replace(EXCEEDS.data, keys=600), row_cache_mib=64, rate=200)
SIZES: Mapping[str, Plan] = {"fits": FITS, "exceeds": EXCEEDS}


def plan(size: str, heat_source: str = "cache", short: bool = False) -> Plan:
    """Return the plan for 'fits' or 'exceeds' with the given heat source."""
    chosen = SIZES[size]
    if heat_source == "read_time":
        # No row cache: the chunk cache takes its place. A row is about as long as a chunk and lies in two of them, so
        # a read asks the disk twice as often, for half as long.
        data = replace(
            chosen.data, row_cache=False, chunk_kib=4, value_bytes=3900, service_us=chosen.data.service_us // 2
        )
        chosen = replace(chosen, data=data, heat_source=heat_source, row_cache_mib=chosen.row_cache_mib * 5 // 2)
    return shortened(chosen) if short else chosen


def shortened(plan: Plan) -> Plan:
    """Return the plan for a demonstration: long enough to see the effect, short enough to watch."""
    # Data and cache are 4/7 of the full size, and so is the time a node takes to warm up.
    data = replace(plan.data, keys=plan.data.keys * 4 // 7)
    return replace(
        plan, data=data, row_cache_mib=plan.row_cache_mib * 4 // 7, settle_s=6, before_s=10, off_s=5, back_s=40
    )


@dataclass(frozen=True)
class Outcome:
    """What a run left: its result in the summary's shape, and what the charts draw."""

    result: dict[str, Any]
    moments: Moments
    records: np.ndarray
    nodes: dict[str, NodeCounters]


def run(plan: Plan, variant: Variant, output: Path, listener: Listener | None = None) -> Outcome:
    """Run one variant on a fresh cluster; the raw series go to `output`."""
    told = listener or Silent()
    output.mkdir(parents=True, exist_ok=True)
    told.step("starting three nodes", 20)
    cluster = Cluster.create(
        NAME,
        [variant] * _NODES,
        heat_source=plan.heat_source,
        overrides=_node_settings(plan),
        full_compilation=plan.full_compilation,
    )
    with cluster:
        cluster.start(told.note)
        _prepare(cluster, plan, told)
        moments = _measure(cluster, plan, output, told)
    return _conclude(cluster, plan, moments, output)


def _node_settings(plan: Plan) -> dict[str, Any]:
    if plan.data.row_cache:
        return {"row_cache_size": f"{plan.row_cache_mib}MiB", "file_cache_enabled": False}
    # Cassandra keeps 32 MiB of the file cache for buffers; the rest holds chunks.
    return {"row_cache_size": "0MiB", "file_cache_enabled": True, "file_cache_size": f"{32 + plan.row_cache_mib}MiB"}


def _prepare(cluster: Cluster, plan: Plan, told: Listener) -> None:
    """Load, flush, and fill the caches; the disk is fast meanwhile."""
    told.step("loading", 8)
    cluster.order("disk", "fast")
    with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
        row_table.create(session, plan.data, _NODES)
        row_table.fill(session, plan.data, plan.seed)
        cluster.order("flush", row_table.KEYSPACE)
        told.step("warming every node", 12)
        keys = np.random.default_rng(plan.seed + 1).permutation(plan.data.keys)
        row_table.read(session, keys)
    # With the consistency of the experiment each node then keeps what the variant lets it see.
    with connected(cluster.contact_points(), "QUORUM", timeout_s=30) as session:
        told.step("warming as read", 20)
        source = np.random.default_rng(plan.seed + 2)
        row_table.read(session, source.integers(0, plan.data.keys, 2 * plan.data.keys))
    cluster.order("disk", "slow")


def _measure(cluster: Cluster, plan: Plan, output: Path, told: Listener) -> Moments:
    settings = LoadSettings(
        contact_points=cluster.contact_points(), directory=str(output), rate=plan.rate, keys=plan.data.keys,
        seed=plan.seed,
    )  # fmt: skip
    with LoadProcess(settings) as load:
        load.wait_until_sending()

        def watch() -> None:
            load.check()
            latest = load.latest
            median = latest.get("p50_ms")
            errors = sum(latest.get("errors", {}).values())
            told.note(f"p50 {median:.1f} ms, {errors} errors" if median is not None else "no answers")

        told.step("settling", plan.settle_s)
        wait_until(time.time() + plan.settle_s, watch)
        told.step("before", plan.before_s)
        before = time.time()
        wait_until(before + plan.before_s, watch)

        told.step(f"{RESTARTED} is down", plan.off_s + 8)
        node = next(node for node in cluster.nodes if node.address == RESTARTED)
        down = time.time()
        node.stop()
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


def _conclude(cluster: Cluster, plan: Plan, moments: Moments, output: Path) -> Outcome:
    records = samples.read(output / "requests.bin")
    nodes = {node.address: NodeCounters.of_node(node.directory) for node in cluster.nodes}
    windows = [window for window in BACK_WINDOWS if window[1] <= plan.back_s]
    cut = phases(moments, windows)
    back = rejoined_s(nodes, RESTARTED, moments.up, moments.end)
    result = summary.run(cut, records, nodes, plan.heat_source, back)
    series.write_latency(output / "latency.csv", records, moments)
    series.write_nodes(output / "nodes.csv", nodes, moments)
    series.write_hdr_log(output / "latency.hlog", records, moments)
    _keep_logs(cluster, output)
    return Outcome(result, moments, records, nodes)


def _keep_logs(cluster: Cluster, output: Path) -> None:
    for node in cluster.nodes:
        log = node.directory / "logs" / "system.log"
        if log.is_file():
            shutil.copy2(log, output / f"{node.address}.log")


def settings(plan: Plan) -> dict[str, Any]:
    """Return the plan for the summary, as plain values."""
    return asdict(plan)
