# SPDX-License-Identifier: Apache-2.0
"""What queue.soft_limit is worth: the slow leader with the plugin, at several limits and degrees of slowness."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.slow_leader import report as slow_leader_report
from isotherm_lab.experiments.slow_leader.run import PLUGIN, Plan, count, slow_down, start, turn
from isotherm_lab.measure.paired import there_and_back
from isotherm_lab.progress import Bars, Listener

NAME = "soft-limits"
#: How many service times the disk of one node takes: all well, a little slow, far too slow.
SLOWNESS = (1, 3, 20)


def run_and_report(plan: Plan, limits: Sequence[int], results: Path, console: Console) -> dict[str, Any]:
    """Run all limits, each on a cluster of its own, at all degrees of slowness, in turns there and back."""
    folder = results / NAME
    folder.mkdir(parents=True, exist_ok=True)
    turns = len(SLOWNESS) * len(limits) * (2 if plan.back else 1)
    expected_s = len(limits) * (45 + plan.warm_up_s) + turns * (plan.settle_s + plan.turn_s + 6)
    with Bars(console, NAME, expected_s) as bars:
        rows = run(plan, limits, folder, bars)
    summary = {"experiment": NAME, "rows": rows, "settings": asdict(plan)}
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    console.print(table(rows))
    console.print(f"The numbers are in {folder / 'summary.json'}", soft_wrap=True, highlight=False)
    return summary


def run(plan: Plan, limits: Sequence[int], output: Path, told: Listener) -> list[dict[str, Any]]:
    """Return a row for each limit and slowness; all clusters are up all the time, and one is loaded."""
    with ExitStack() as stack:
        clusters: dict[int, Cluster] = {}
        for place, limit in enumerate(limits):
            told.step(f"limit {limit}: starting three nodes", 40)
            limited = replace(plan, queue=plan.queue | {"soft_limit": limit})
            first = plan.first_address + 10 * place
            clusters[limit] = stack.enter_context(start(limited, PLUGIN, first, told, f"{NAME}-{limit}"))
        before = {limit: count(cluster, plan) for limit, cluster in clusters.items()}
        turns = {limit: [] for limit in limits}
        for limit, cluster in clusters.items():
            told.step(f"limit {limit}: warming up", plan.warm_up_s)
            short = replace(plan, settle_s=plan.warm_up_s, turn_s=0.1)
            turns[limit].append(turn(short, PLUGIN, "warm-up", cluster, output / str(limit) / "warm-up", told))
        order = there_and_back(list(limits)) if plan.back else list(limits)
        for slowness in SLOWNESS:
            for cluster in clusters.values():
                slow_down(cluster, 1, slowness)
            for number, limit in enumerate(order):
                told.step(f"{slowness} x, limit {limit}", plan.settle_s + plan.turn_s + 6)
                folder = output / str(limit) / f"{slowness}-{number // len(limits) + 1}"
                turns[limit].append(turn(plan, PLUGIN, str(slowness), clusters[limit], folder, told))
        for cluster in clusters.values():
            cluster.order("disk", "fast")
        accounts = {
            limit: slow_leader_report.account(turns[limit], count(cluster, plan) - before[limit])
            for limit, cluster in clusters.items()
        }
    return [row(limit, slowness, turns[limit], accounts[limit]) for limit in limits for slowness in SLOWNESS]


def row(limit: int, slowness: int, turns: Sequence, account: Mapping[str, int]) -> dict[str, Any]:
    """Return what was measured at one limit and slowness; the last node is the one that is slow."""
    measured = slow_leader_report.measured([each for each in turns if each.phase == str(slowness)])
    leaders = list(measured["leaders"].values())
    return {
        "soft_limit": limit,
        "slowness": slowness,
        **measured,
        "slow_leads": round(leaders[-1] / (sum(leaders) or 1), 4),
        "exact": slow_leader_report.exact(account),
    }


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the rows for a person."""
    shown = Table(
        title="Counter updates at QUORUM, one of three nodes slow, by queue.soft_limit",
        caption="Latencies in ms from the intended time; led by the slow node in % of all updates.",
        title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD, padding=0, pad_edge=False,
    )  # fmt: skip
    for heading in ("limit", "slow", "mean", "p50", "p99", "p99.9", "slow leads", "exact"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for each in rows:
        numbers = (each[key] for key in ("mean_ms", "p50_ms", "p99_ms", "p999_ms"))
        shown.add_row(
            str(each["soft_limit"]), f"{each['slowness']} x", *(f"{number:.1f}" for number in numbers),
            f"{100 * each['slow_leads']:.1f}", "yes" if each["exact"] else "NO",
        )  # fmt: skip
    return shown
