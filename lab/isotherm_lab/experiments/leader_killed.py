# SPDX-License-Identifier: Apache-2.0
"""A leader dies under load (kill -9) and comes back: is every acknowledged counter update counted, and none twice?

Without the plugin and with it, the same load, disks as slow as in the slow leader's phase `well`. The commit log is
synchronous: what is acknowledged is on disk, so that a lost update is a fault and not the bargain of a periodic one.
"""

import json
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.slow_leader import report as slow_leader_report
from isotherm_lab.experiments.slow_leader import run as slow_leader
from isotherm_lab.experiments.slow_leader.run import PLUGIN, STOCK, Plan, count, start
from isotherm_lab.load import update_outcomes
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.progress import Bars, Listener, wait_until

NAME = "leader-killed"
#: How long clients update before the node dies, while it is dead, and after it has come back.
_BEFORE_S, _DEAD_S, _AFTER_S = 8, 6, 8
PLAN = replace(
    slow_leader.SHORT, rate=150, overrides={"commitlog_sync": "batch", "commitlog_sync_period": "0ms"}, blocks=0
)


def run_and_report(plan: Plan, results: Path, console: Console) -> dict[str, Any]:
    """Run both variants, one after the other; the accounts are in results/leader-killed/summary.json."""
    folder = results / NAME
    folder.mkdir(parents=True, exist_ok=True)
    summary: dict[str, Any] = {"experiment": NAME, "variants": {}}
    with Bars(console, NAME, 2 * (60 + _BEFORE_S + _DEAD_S + _AFTER_S)) as bars:
        for name in (STOCK, PLUGIN):
            bars.step(f"{name}: starting three nodes", 35)
            with start(plan, name, plan.first_address, bars, f"{NAME}-{name}") as cluster:
                summary["variants"][name] = _account(plan, cluster, folder / name, bars)
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    console.print(table(summary))
    return summary


def _account(plan: Plan, cluster: Cluster, folder: Path, told: Listener) -> dict[str, Any]:
    before = count(cluster, plan)
    dying = cluster.nodes[-1]
    with ExitStack() as stack:
        clients = [stack.enter_context(LoadProcess(each)) for each in slow_leader.clients(plan, cluster, folder)]
        for client in clients:
            client.wait_until_sending()

        def watch(seconds: float) -> None:
            wait_until(time.time() + seconds, lambda: slow_leader.note(clients, told))

        told.step("updates, and a node dies", _BEFORE_S + _DEAD_S)
        watch(_BEFORE_S)
        dying.kill()
        watch(_DEAD_S)
        told.step("it comes back", 25 + _AFTER_S)
        dying.start()
        cluster.save()
        dying.wait_until_answers()
        cluster.order("peers", str(len(cluster.nodes)))
        watch(_AFTER_S)
        for client in clients:
            client.stop()
    _, outcomes = update_outcomes.of_clients([client.directory for client in clients])
    cluster.order("disk", "fast")
    account = slow_leader_report.tally(outcomes, count(cluster, plan) - before)
    return account | {"outcomes": dict(outcomes), "exact": slow_leader_report.exact(account)}


def table(summary: dict[str, Any]) -> Table:
    """Return the accounts for a person."""
    shown = Table(
        title="Counter updates at QUORUM while one of three nodes dies (kill -9) and comes back",
        caption="Exact: acknowledged <= counted <= acknowledged + timed out + failed.",
        title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD, padding=0, pad_edge=False,
    )  # fmt: skip
    shown.add_column("variant", no_wrap=True)
    columns = ("acknowledged", "timed_out", "failed", "counted")
    for name in columns:
        shown.add_column(name.replace("_", " "), justify="right")
    shown.add_column("exact", justify="right")
    for name, own in summary["variants"].items():
        shown.add_row(name, *(str(own[column]) for column in columns), "yes" if own["exact"] else "NO")
    return shown
