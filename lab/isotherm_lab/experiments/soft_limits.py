# SPDX-License-Identifier: Apache-2.0
"""What queue.soft_limit is worth: the slow leader with the plugin, at several limits and degrees of slowness."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.options import FirstAddress
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.experiments.slow_leader.clusters import check_memory, count, slow_down, start
from isotherm_lab.experiments.slow_leader.plan import FULL, PLUGIN, SHORT, Plan
from isotherm_lab.experiments.slow_leader.report import account, measured
from isotherm_lab.experiments.slow_leader.turn import Turn, turn, warm_up
from isotherm_lab.load.update_outcomes import exact, refuse_inexact
from isotherm_lab.measure import summary
from isotherm_lab.measure.paired import counterbalanced
from isotherm_lab.progress import Bars, Listener

NAME = "soft-limits"
#: How many service times the disk of one node takes: all well, a little slow, far too slow.
SLOWNESS = (1, 3, 20)


@dataclass(frozen=True)
class Sweep:
    """At which limits the slow leader's load is measured."""

    plan: Plan
    limits: tuple[int, ...]

    def order(self) -> list[int]:
        """Return the limits in the order of their turns at a degree of slowness."""
        return counterbalanced(self.limits) if self.plan.back else list(self.limits)

    def expected_s(self) -> float:
        """Return about how long it takes."""
        turns = len(SLOWNESS) * len(self.order())
        return len(self.limits) * (45 + self.plan.warm_up_s) + turns * (self.plan.settle_s + self.plan.turn_s + 6)


def planned(
    limits: Annotated[str, typer.Option("--soft-limits", help="Which, with commas between.")] = "8,16,32,100",
    short: Annotated[bool, typer.Option(help="Half as long: one turn of each limit and slowness.")] = False,
    first_address: FirstAddress = 1,
) -> Sweep:
    """Return what these options ask for."""
    try:
        chosen = tuple(int(limit) for limit in limits.split(","))
    except ValueError:
        chosen = ()
    if not chosen or min(chosen) < 1:
        raise typer.BadParameter(f"--soft-limits takes numbers from 1 up with commas between, not {limits!r}.")
    return Sweep(replace(SHORT if short else FULL, first_address=first_address), chosen)


def run_and_report(sweep: Sweep, folder: Path, console: Console) -> None:
    """Run all limits, each on a cluster of its own, at all degrees of slowness, in turns there and back.

    LabError when updates were lost or counted twice at a limit.
    """
    with Bars(console, NAME, sweep.expected_s()) as bars:
        rows, accounts = run(sweep, folder, bars)
    content = {"experiment": NAME, "rows": rows, "accounts": accounts, "settings": asdict(sweep.plan)}
    file = summary.write(folder, content)
    console.print(table(rows))
    console.print(f"The numbers are in {file}", soft_wrap=True, highlight=False)
    refuse_inexact({f"soft limit {limit}": own for limit, own in accounts.items()})


def run(sweep: Sweep, output: Path, told: Listener) -> tuple[list[dict[str, Any]], dict[int, dict[str, int]]]:
    """Return a row for each limit and slowness, and the account of all updates at each limit.

    All clusters are up all the time, and one is loaded.
    """
    plan, limits = sweep.plan, sweep.limits
    check_memory(len(limits))
    with ExitStack() as stack:
        clusters: dict[int, Cluster] = {}
        for place, limit in enumerate(limits):
            told.step(f"limit {limit}: starting three nodes", 40)
            limited = replace(plan, queue=plan.queue | {"soft_limit": limit})
            first = plan.first_address + 10 * place
            clusters[limit] = stack.enter_context(start(limited, f"{NAME}-{limit}", PLUGIN, first, told))
        before = {limit: count(cluster, plan) for limit, cluster in clusters.items()}
        turns: dict[int, list[Turn]] = {limit: [] for limit in limits}
        for limit, cluster in clusters.items():
            told.step(f"limit {limit}: warming up", plan.warm_up_s)
            turns[limit].append(warm_up(plan, PLUGIN, cluster, output / str(limit) / "warm-up", told))
        for slowness in SLOWNESS:
            for cluster in clusters.values():
                slow_down(cluster, 1, slowness)
            for number, limit in enumerate(sweep.order()):
                told.step(f"{slowness} x, limit {limit}", plan.settle_s + plan.turn_s + 6)
                folder = output / str(limit) / f"{slowness}-{number // len(limits) + 1}"
                turns[limit].append(turn(plan, PLUGIN, str(slowness), clusters[limit], folder, told))
        for cluster in clusters.values():
            cluster.order("disk", "fast")
        accounts = {
            limit: account(turns[limit], count(cluster, plan) - before[limit]) for limit, cluster in clusters.items()
        }
    rows = [row(limit, slowness, turns[limit], accounts[limit]) for limit in limits for slowness in SLOWNESS]
    return rows, accounts


def row(limit: int, slowness: int, turns: Sequence[Turn], account: Mapping[str, int]) -> dict[str, Any]:
    """Return what was measured at one limit and slowness; the last node is the one that is slow."""
    own = measured([each for each in turns if each.phase == str(slowness)])
    leaders = list(own["leaders"].values())
    return {
        "soft_limit": limit,
        "slowness": slowness,
        **own,
        "slow_leads": round(leaders[-1] / (sum(leaders) or 1), 4),
        "exact": exact(account),
    }


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the rows for a person."""
    shown = result_table(
        "Counter updates at QUORUM, one of three nodes slow, by queue.soft_limit",
        "Latencies in ms from the intended time; led by the slow node in % of all updates.",
        left=[],
        right=["limit", "slow", "mean", "p50", "p99", "p99.9", "slow leads", "exact"],
    )
    for each in rows:
        numbers = (each[key] for key in ("mean_ms", "p50_ms", "p99_ms", "p999_ms"))
        shown.add_row(
            str(each["soft_limit"]), f"{each['slowness']} x",
            *("-" if number is None else f"{number:.1f}" for number in numbers),
            f"{100 * each['slow_leads']:.1f}", "yes" if each["exact"] else "NO",
        )  # fmt: skip
    return shown


EXPERIMENT = Experiment(
    name=NAME,
    help="Measure counter updates at several soft limits while one node is well, a little slow and far too slow.",
    plan=planned,
    run=run_and_report,
)
