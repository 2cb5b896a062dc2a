# SPDX-License-Identifier: Apache-2.0
"""Three warm nodes are restarted one after the other, with empty caches: each as soon as the one before is up, and each
once isotherm-wait-warm says so.

The cluster, the reads and the disks are those of the cold restart: its cache holds two thirds of the data, and a node
that reads everything from its disk cannot bear its part of the reads.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.variants import variant
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.bounded import bounded
from isotherm_lab.experiments.cold_restart import plan as cold_restart
from isotherm_lab.experiments.cold_restart.run import keep_logs, node_settings, prepare
from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.options import FirstAddress
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.load.read_load import ReadLoadSettings
from isotherm_lab.measure import samples, summary
from isotherm_lab.paths import project_root
from isotherm_lab.progress import Bars, Listener, wait_until

NAME = "rolling-restart"
_NODES = 3
#: Whether the next node waits for the one before to be warm.
WAYS: Mapping[str, bool] = {"without waiting": False, "with isotherm-wait-warm": True}
#: Reads are looked at for so long after the last node is back.
_AFTER_S = 30
#: A node that is not warm by then is an error.
_PATIENCE_S = 300
_SLOW_MS = 100


@dataclass(frozen=True)
class Plan:
    """The reads and the disks, and where the nodes are."""

    reads: cold_restart.Plan
    first_address: int = 1


@dataclass(frozen=True)
class Restart:
    """One node's: when it went, when it answered again, and when the next one might; seconds since the epoch."""

    address: str
    down: float
    up: float
    over: float


def planned(
    first_address: FirstAddress = 1,
    short: Annotated[bool, typer.Option(help="Less data, so that nodes are warm sooner: six minutes.")] = False,
) -> Plan:
    """Return what these options ask for."""
    return Plan(cold_restart.of_size("exceeds", short=short), first_address)


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run both ways, one after the other; the accounts are in the summary."""
    ways: dict[str, Any] = {}
    for name, waits in WAYS.items():
        with Bars(console, name, 90 + _NODES * (90 if waits else 25) + _AFTER_S) as bars:
            ways[name] = _run(plan, waits, folder / name.replace(" ", "-"), bars)
        summary.write(folder, {"experiment": NAME, "ways": ways, "settings": asdict(plan)})
    console.print(table(ways))


def _run(plan: Plan, waits: bool, output: Path, told: Listener) -> dict[str, Any]:
    output.mkdir(parents=True, exist_ok=True)
    told.step("starting three nodes", 20)
    cluster = Cluster.create(
        NAME, [variant("isotherm")] * _NODES, heat_source=plan.reads.heat_source, overrides=node_settings(plan.reads),
        first_address=plan.first_address,
    )  # fmt: skip
    with cluster:
        cluster.start(told.note)
        prepare(cluster, plan.reads, told)
        began, restarts = _restarted_under_load(cluster, plan, waits, output, told)
    keep_logs(cluster, output)
    return account(samples.read(output / samples.FILE), began, restarts)


def _restarted_under_load(
    cluster: Cluster, plan: Plan, waits: bool, output: Path, told: Listener
) -> tuple[float, list[Restart]]:
    settings = ReadLoadSettings(
        contact_points=cluster.contact_points(), directory=str(output), rate=plan.reads.rate,
        keys=plan.reads.data.keys, seed=plan.reads.seed,
    )  # fmt: skip
    with LoadProcess(settings) as load, bounded(cluster):
        load.wait_until_sending()
        told.step("settling", plan.reads.settle_s)
        wait_until(time.time() + plan.reads.settle_s, load.check)
        told.step("before", plan.reads.before_s)
        began = time.time()
        wait_until(began + plan.reads.before_s, load.check)
        restarts = []
        for node in cluster.nodes:
            told.step(f"{node.address} restarts", 90 if waits else 25)
            restarts.append(_restart(cluster, node, plan, waits, load.check))
        told.step("after", _AFTER_S)
        wait_until(restarts[-1].up + _AFTER_S, load.check)
        load.stop()
    return began, restarts


def _restart(cluster: Cluster, node: Node, plan: Plan, waits: bool, watch: Callable[[], None]) -> Restart:
    down = time.time()
    node.stop()
    cluster.storage.cool(node)
    wait_until(down + plan.reads.off_s, watch)
    node.start()
    cluster.save()
    up = node.wait_until_answers()
    # Who does not wait for warmth waits for this at least: nodetool says UN of all nodes.
    cluster.order("peers", str(_NODES))
    if waits:
        _wait_until_warm(node.address, watch)
    return Restart(node.address, down, up, time.time())


def _wait_until_warm(address: str, watch: Callable[[], None]) -> None:
    command = [project_root() / "tools" / "isotherm-wait-warm", "--timeout", str(_PATIENCE_S), address]
    cqlsh = os.environ.get("CQLSH", str(Path(sys.executable).with_name("cqlsh")))
    with subprocess.Popen(command, env={**os.environ, "CQLSH": cqlsh}, stdout=subprocess.PIPE, text=True) as waiting:
        try:
            while waiting.poll() is None:
                watch()
                time.sleep(0.5)
        finally:
            waiting.terminate()
        said = waiting.stdout.read() if waiting.stdout else ""
    if waiting.returncode != 0:
        raise LabError(f"{address} did not become warm: {said[-500:]}")


def account(records: np.ndarray, began: float, restarts: Sequence[Restart]) -> dict[str, Any]:
    """Return what readers noticed before the restarts, and from the first one's beginning to the end."""
    first, last = restarts[0], restarts[-1]
    return {
        "before": _seen(samples.between(records, began, first.down)),
        "restarts": _seen(samples.between(records, first.down, last.up + _AFTER_S)),
        "took_s": round(last.up - first.down, 1),
        "waited_s": {each.address: round(each.over - each.up, 1) for each in restarts},
    }


def _seen(records: np.ndarray) -> dict[str, Any]:
    answered = records["outcome"] == samples.ANSWERED
    slow = answered & (records["latency_us"] > 1000 * _SLOW_MS)
    return {
        "reads": int(records.size),
        "failed": int(np.count_nonzero(~answered)),
        "slow": int(np.count_nonzero(slow)),
        **samples.p50_and_p99_ms(records, 1),
    }


def table(ways: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the comparison for a person."""
    shown = result_table(
        "A rolling restart of three nodes",
        f"From the stop of the first to {_AFTER_S} s after the last was back; slow: answered after more than"
        f" {_SLOW_MS} ms.",
        left=["the next node"],
        right=[
            "p50 ms\np99, before",
            "p50 ms\np99, then",
            "reads\n",
            "failed\n",
            "slow\n",
            "first stop to\nlast return",
        ],
    )
    for name, way in ways.items():
        before, meanwhile = way["before"], way["restarts"]
        shown.add_row(
            name, *(f"{_ms(part['p50_ms'])}\n{_ms(part['p99_ms'])}" for part in (before, meanwhile)),
            f"{meanwhile['reads']:,}", str(meanwhile["failed"]), f"{meanwhile['slow']:,}", f"{way['took_s']:.0f} s",
        )  # fmt: skip
    return shown


def _ms(latency: float | None) -> str:
    return "none" if latency is None else f"{latency:,.0f}"


EXPERIMENT = Experiment(
    name=NAME,
    help="Restart three warm nodes one after the other, without and with waiting until each is warm.",
    plan=planned,
    run=run_and_report,
)
