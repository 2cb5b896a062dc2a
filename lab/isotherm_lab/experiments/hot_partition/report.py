# SPDX-License-Identifier: Apache-2.0
"""Runs the hot partition, and writes, shows and judges what came of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from isotherm_lab.experiments import promises
from isotherm_lab.experiments.hot_partition import fair_chart, observed, promised, series
from isotherm_lab.experiments.hot_partition.fair import ENOUGH
from isotherm_lab.experiments.hot_partition.left import part_of_left, replicas_of_hot
from isotherm_lab.experiments.hot_partition.plan import NAME, RECOVERY_S, Plan
from isotherm_lab.experiments.hot_partition.run import Outcome, run
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.measure import summary
from isotherm_lab.progress import Bars

_FAIR_TITLES = {
    "one": "The same hot partition under fair shares, without a limit",
    "two": "Two hot partitions under fair shares",
    "costly": "A hundred times the data at a tenth of the rate, under fair shares",
    "writes": "Hot writes under fair shares",
}


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run the plan; everything it leaves is in the folder. BrokenPromiseError when one is broken."""
    with Bars(console, NAME, plan.expected_s()) as bars:
        outcome = run(plan, folder, bars)
    concluded = conclude(plan, outcome)
    series.write_seconds(folder / series.SECONDS, outcome)
    series.write_queues(folder / series.QUEUES, outcome)
    fair_chart.write(folder / fair_chart.SECONDS, outcome.fair_seconds)
    file = summary.write(folder, concluded)
    console.print(table(concluded))
    for which, title in _FAIR_TITLES.items():
        console.print(fair_table(concluded["fair_share"][which], title))
    console.print(f"The numbers are in {file}, the series beside it.", soft_wrap=True)
    promises.report(promised.promises(concluded), console)


def conclude(plan: Plan, outcome: Outcome) -> dict[str, Any]:
    """Return the summary: each phase, when the background was back, and the plan."""
    moments = outcome.moments
    phases = [
        {"name": name}
        | observed.clients(begin, end, outcome.background, outcome.hot)
        | {"from_s": round(begin - moments.altered, 2), "to_s": round(end - moments.altered, 2)}
        | {"processors_busy": outcome.processors[name], "nodes": observed.replicas(begin, end, outcome.nodes)}
        for name, (begin, end) in moments.phases().items()
    ]
    usual = phases[0]["background_per_s"]
    return {
        "experiment": NAME,
        "recovered_s": observed.recovered_s(outcome.background, usual, moments.altered, moments.end),
        "phases": phases,
        "fair_share": {name: fair | _of_hot(plan, name, fair["phases"][1]) for name, fair in outcome.fair.items()},
        "under_hot": _ratio(phases[1]["background_per_s"], usual),
        "under_limit": _ratio(phases[2]["background_per_s"], usual),
        "hot_starts_s": round(moments.hot_starts - moments.altered, 2),
        "alter_took_s": round(moments.alter_answered - moments.altered, 3),
        "settings": asdict(plan),
    }


def _of_hot(plan: Plan, which: str, hot: Mapping[str, Any]) -> dict[str, float | None]:
    rates = hot["background_per_s"], hot["hot_accepted_per_s"]
    disk_reads_per_s = sum(node["disk_reads_per_s"] for node in hot["nodes"].values())
    return {
        "hot_of_left": part_of_left(plan, which, *rates),
        "replicas_of_hot": replicas_of_hot(plan, which, disk_reads_per_s, *rates),
    }


def table(concluded: Mapping[str, Any]) -> Table:
    """Return the phases for a person."""
    back = concluded["recovered_s"]
    limit = concluded["settings"]["limit_per_s"]
    shown = result_table(
        f"A hot partition, then a limit of {limit} reads/s",
        f"The background is back at {observed.ENOUGH:.0%} of usual "
        + (f"{back} s after the ALTER" if back is not None else "never")
        + f", and measured in `limited` from {RECOVERY_S:.0f} s after it on. queue: reads waiting on a node, mean.",
        left=["\nphase"],
        right=["background\nreads/s", "of\nusual", "p99\nms", "hot\noffered/s", "\naccepted", "\nrejected", "\nqueue"],
    )
    usual = concluded["phases"][0]["background_per_s"]
    for each in concluded["phases"]:
        queues = [node["queue"] for node in each["nodes"].values()]
        shown.add_row(
            each["name"], f"{each['background_per_s']:.1f}", f"{_ratio(each['background_per_s'], usual):.3f}",
            _ms(each["background_p99_ms"]), f"{each['hot_offered_per_s']:.0f}",
            f"{each['hot_accepted_per_s']:.1f}", f"{each['hot_rejected_per_s']:.0f}", f"{np.mean(queues):.1f}",
        )  # fmt: skip
    return shown


def fair_table(fair: Mapping[str, Any], title: str) -> Table:
    """Return the phases under fair shares for a person."""
    back = fair["recovered_s"]
    shown = result_table(
        title,
        f"The background is back at {ENOUGH:.0%} of usual "
        + (f"{back} s after the first hot request." if back is not None else "never.")
        + _each(fair["phases"][1]["each_accepted_per_s"])
        + _left(fair["hot_of_left"], fair["replicas_of_hot"]),
        left=["\nphase"],
        right=["background\nper s", "of\nusual", "p99\nms", "\nrefused", "hot\noffered/s", "\naccepted", "\nrefused"],
    )
    usual = fair["phases"][0]["background_per_s"]
    for each in fair["phases"]:
        shown.add_row(
            each["name"], f"{each['background_per_s']:.1f}", f"{_ratio(each['background_per_s'], usual):.3f}",
            _ms(each["background_p99_ms"]), f"{each['background_rejected_per_s']:.1f}",
            f"{each['hot_offered_per_s']:.0f}", f"{each['hot_accepted_per_s']:.1f}",
            f"{each['hot_rejected_per_s']:.0f}",
        )  # fmt: skip
    return shown


def _each(accepted: Sequence[float]) -> str:
    return f" Of each hot partition per s: {', '.join(map(str, accepted))}." if len(accepted) > 1 else ""


def _left(part: float | None, replicas: float | None) -> str:
    served = "" if part is None else f" Of what the background leaves, the hot ones are served {part:.2f}."
    return served + ("" if replicas is None else f" Each of their reads takes {replicas:.1f} replicas.")


def _ms(latency: float | None) -> str:
    return "-" if latency is None else f"{latency:.0f}"


def _ratio(part: float, usual: float) -> float:
    return round(part / usual, 4) if usual else math.nan
