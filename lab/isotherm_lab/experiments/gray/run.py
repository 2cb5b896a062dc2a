# SPDX-License-Identifier: Apache-2.0
"""Nodes that are neither well nor dead, one fault after another on one cluster.

RF 3, QUORUM, uniformly random keys at a fixed rate from an open loop; the driver is token-aware and goes to every node
that it takes for living, the faulty one among them. Table, caches and disk are those of a cold restart.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.page_cache_storage import page_cache_storage
from isotherm_lab.cluster.variants import Variant
from isotherm_lab.experiments.bounded import bounded
from isotherm_lab.experiments.cold_restart.run import keep_logs, node_settings, prepare
from isotherm_lab.experiments.gray.fault import Fault
from isotherm_lab.experiments.gray.plan import NAME, Plan
from isotherm_lab.experiments.gray.result import result
from isotherm_lab.experiments.gray.rounds import of_rounds
from isotherm_lab.experiments.gray.watch import Watch
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.load.read_load import ReadLoadSettings
from isotherm_lab.measure import samples, series
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.phases import FaultMoments
from isotherm_lab.progress import Listener, Silent, wait_until

_NODES = 3
#: The probe writes once a second, and a rate needs a line after its end.
_PROBE_S = 1.5


def run(
    plan: Plan, variant: Variant, output: Path, folder_of: Callable[[Fault], Path], listener: Listener | None = None
) -> dict[str, Any]:
    """Run one variant on a fresh cluster; return its part of the summary, by the name of the fault.

    Every request goes to `output`, the series of each fault to its folder, and those of later rounds to folders there.
    """
    told = listener or Silent()
    output.mkdir(parents=True, exist_ok=True)
    told.step("starting three nodes", 25)
    cluster = Cluster.create(
        NAME, [variant] * _NODES, heat_source=plan.table.heat_source, overrides=node_settings(plan.table),
        first_address=plan.first_address, storage=plan.table.page_cache and page_cache_storage(plan.table.page_cache),
    )  # fmt: skip
    with cluster:
        cluster.start(told.note)
        prepare(cluster, plan.table, told)
        rounds = _under_load(cluster, plan, output, told)
    keep_logs(cluster, output)
    records = samples.read(output / samples.FILE)
    nodes = {node.address: NodeCounters.of_node(node.directory) for node in cluster.nodes}
    return {
        fault.name: of_rounds(
            [
                _conclude(fault, own, records, nodes, cluster, _of_round(number, folder_of(fault)))
                for number, own in enumerate(each_round, 1)
            ]
        )
        for fault, *each_round in zip(plan.faults, *rounds, strict=True)
    }


def _of_round(number: int, folder: Path) -> Path:
    """Return where the series of this round of a fault are: those of the first where those of an only one would be."""
    return folder if number == 1 else folder / f"round-{number}"


def _under_load(cluster: Cluster, plan: Plan, output: Path, told: Listener) -> list[list[FaultMoments]]:
    """Return the moments of each fault, in the plan's order, for each round."""
    settings = ReadLoadSettings(
        contact_points=cluster.contact_points(), directory=str(output), rate=plan.table.rate,
        keys=plan.table.data.keys, seed=plan.table.seed,
    )  # fmt: skip
    with LoadProcess(settings) as load, bounded(cluster):
        load.wait_until_sending()

        def latest() -> dict[str, Any]:
            load.check()
            return load.latest

        watch = Watch(latest, told)
        if plan.lead_s:
            told.step("settling", plan.lead_s)
            wait_until(time.time() + plan.lead_s, watch)
        rounds = [[suffer(cluster, fault, plan, watch, told) for fault in plan.faults] for _ in range(plan.rounds)]
        load.stop()
    return rounds


def suffer(cluster: Cluster, fault: Fault, plan: Plan, watch: Watch, told: Listener) -> FaultMoments:
    """Let the fault befall a cluster under load, which is watched; return when what was."""
    # What the dynamic snitch holds against the node of the fault before would be in the shares of this one.
    cluster.order("snitch", "forget")
    told.step(f"{fault.name}: settling", plan.settle_s)
    settled = watch.settle(plan.settle_s, plan.settle_at_most_s)
    told.step(f"{fault.name}: well", plan.well_s)
    well = time.time()
    watch.well(plan.well_s)
    well_ended = time.time()
    if fault.prepared_in_s:
        told.step(f"{fault.name}: preparing", fault.prepared_in_s)
    fault.prepare(cluster, told)
    lasts_s = fault.lasts_s(plan.fault_s)
    told.step(fault.name, lasts_s)
    began = time.time()
    with fault.befalls(cluster):
        wait_until(began + lasts_s, watch)
        ended = time.time()
    told.step(f"{fault.name}: after", plan.after_s)
    wait_until(ended + plan.after_s, watch)
    until = time.time()
    wait_until(until + _PROBE_S, watch)
    return FaultMoments(well, well_ended, began, ended, until, settled)


def _conclude(
    fault: Fault,
    moments: FaultMoments,
    records: np.ndarray,
    nodes: dict[str, NodeCounters],
    cluster: Cluster,
    folder: Path,
) -> dict[str, Any]:
    faulty = [node.address for node in fault.nodes(cluster)]
    apart = faulty if fault.own_clients_apart else []
    folder.mkdir(parents=True, exist_ok=True)
    series.write_latency(folder / "latency.csv", samples.split_off(records, apart)[0], moments.stretch)
    series.write_nodes(folder / "nodes.csv", nodes, moments.stretch)
    return result(moments, records, nodes, faulty, apart)
