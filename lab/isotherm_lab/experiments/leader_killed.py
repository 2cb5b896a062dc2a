# SPDX-License-Identifier: Apache-2.0
"""A leader dies under load (kill -9) and comes back: is every acknowledged counter update counted, and none twice?

Without the plugin and with it, the same load, disks as slow as in the slow leader's phase `well`. The commit log is
synchronous: what is acknowledged is on disk, so that a lost update is a fault and not the bargain of a periodic one.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.options import FirstAddress
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.experiments.slow_leader.clusters import count, start
from isotherm_lab.experiments.slow_leader.plan import PLUGIN, SHORT, STOCK, Plan
from isotherm_lab.experiments.slow_leader.turn import outcomes, updating
from isotherm_lab.load.update_outcomes import exact, refuse_inexact, tally
from isotherm_lab.measure import summary
from isotherm_lab.progress import Bars, Listener

NAME = "leader-killed"
#: How long clients update before the node dies, while it is dead, and after it has come back.
_BEFORE_S, _DEAD_S, _AFTER_S = 8, 6, 8
PLAN = replace(SHORT, rate=150, overrides={"commitlog_sync": "batch", "commitlog_sync_period": "0ms"}, blocks=0)


def planned(first_address: FirstAddress = 1) -> Plan:
    """Return what these options ask for."""
    return replace(PLAN, first_address=first_address)


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run both variants, one after the other; the accounts are in the summary."""
    accounts: dict[str, Any] = {}
    with Bars(console, NAME, 2 * (60 + _BEFORE_S + _DEAD_S + _AFTER_S)) as bars:
        for name in (STOCK, PLUGIN):
            bars.step(f"{name}: starting three nodes", 35)
            with start(plan, f"{NAME}-{name}", name, plan.first_address, bars) as cluster:
                accounts[name] = _account(plan, cluster, folder / name, bars)
    summary.write(folder, {"experiment": NAME, "variants": accounts})
    console.print(table(accounts))
    refuse_inexact(accounts)


def _account(plan: Plan, cluster: Cluster, folder: Path, told: Listener) -> dict[str, Any]:
    before = count(cluster, plan)
    dying = cluster.nodes[-1]
    with updating(plan, cluster, folder, told) as watch:
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
    _, ended = outcomes(plan, folder)
    cluster.order("disk", "fast")
    account = tally(ended, count(cluster, plan) - before)
    return account | {"outcomes": dict(ended), "exact": exact(account)}


def table(accounts: dict[str, Any]) -> Table:
    """Return the accounts of the variants for a person."""
    columns = ("acknowledged", "timed_out", "failed", "counted")
    shown = result_table(
        "Counter updates at QUORUM while one of three nodes dies (kill -9) and comes back",
        "Exact: acknowledged <= counted <= acknowledged + timed out + failed.",
        left=["variant"],
        right=[*(name.replace("_", " ") for name in columns), "exact"],
    )
    for name, own in accounts.items():
        shown.add_row(name, *(str(own[column]) for column in columns), "yes" if own["exact"] else "NO")
    return shown


EXPERIMENT = Experiment(
    name=NAME,
    help="Kill a node that leads counter updates under load, and account for every update; stock Cassandra beside it.",
    plan=planned,
    run=run_and_report,
)
