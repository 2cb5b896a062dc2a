# SPDX-License-Identifier: Apache-2.0
"""Runs the hot partition, and writes and shows what came of it."""

import csv
import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from isotherm_lab.experiments.hot_partition import chart, observed
from isotherm_lab.experiments.hot_partition.run import NAME, RECOVERY_S, Outcome, Plan, run
from isotherm_lab.progress import Bars

_SERIES = ("background_per_s", "background_p99_ms", "hot_offered_per_s", "hot_accepted_per_s", "hot_rejected_per_s")


def run_and_report(plan: Plan, results: Path, console: Console) -> dict[str, Any]:
    """Run the plan; everything it leaves is in results/hot-partition."""
    folder = results / NAME
    with Bars(console, NAME, plan.expected_s()) as bars:
        outcome = run(plan, folder, bars)
    summary = conclude(plan, outcome)
    write_seconds(folder / chart.SECONDS, outcome)
    write_queues(folder / chart.QUEUES, outcome)
    temporary = folder / "summary.json.tmp"
    temporary.write_text(json.dumps(summary, indent=1) + "\n")
    temporary.replace(folder / "summary.json")
    console.print(table(summary))
    console.print(f"The numbers are in {folder / 'summary.json'}, the series beside it.", soft_wrap=True)
    console.print(f"The chart: {chart.draw(folder)}", soft_wrap=True, highlight=False)
    return summary


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
        "under_hot": _ratio(phases[1]["background_per_s"], usual),
        "under_limit": _ratio(phases[2]["background_per_s"], usual),
        "hot_starts_s": round(moments.hot_starts - moments.altered, 2),
        "alter_took_s": round(moments.alter_answered - moments.altered, 3),
        "settings": asdict(plan),
    }


def seconds(outcome: Outcome) -> range:
    """Return whole seconds relative to the ALTER, from the beginning of the first phase to the end."""
    moments = outcome.moments
    return range(math.ceil(moments.background_from - moments.altered), math.floor(moments.end - moments.altered))


def write_seconds(path: Path, outcome: Outcome) -> None:
    """Write what the clients saw each second; second 0 begins with the ALTER."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["second", *_SERIES])
        for second in seconds(outcome):
            begin = outcome.moments.altered + second
            row = observed.clients(begin, begin + 1, outcome.background, outcome.hot)
            out.writerow([second, *("" if row[name] is None else row[name] for name in _SERIES)])


def write_queues(path: Path, outcome: Outcome) -> None:
    """Write the queue and the disk's reads of each node, each second."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["second", "node", "queue", "disk_reads_per_s"])
        for second in seconds(outcome):
            begin = outcome.moments.altered + second
            for address, counters in outcome.nodes.items():
                reads = counters.rate("disk_reads", begin, begin + 1)
                out.writerow([second, address, round(observed.queue(counters, begin + 0.5), 1), round(reads, 1)])


def table(summary: Mapping[str, Any]) -> Table:
    """Return the phases for a person."""
    back = summary["recovered_s"]
    limit = summary["settings"]["limit_per_s"]
    shown = Table(
        title=f"A hot partition, then a limit of {limit} reads/s",
        caption=(
            f"The background is back at {observed.ENOUGH:.0%} of usual "
            + (f"{back} s after the ALTER" if back is not None else "never")
            + f", and measured in `limited` from {RECOVERY_S:.0f} s after it on. queue: reads waiting on a node, mean."
        ),
        title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD, padding=0, pad_edge=False,
    )  # fmt: skip
    shown.add_column("\nphase")
    for heading in (
        "background\nreads/s",
        "of\nusual",
        "p99\nms",
        "hot\noffered/s",
        "\naccepted",
        "\nrejected",
        "\nqueue",
    ):
        shown.add_column(heading, justify="right", no_wrap=True)
    usual = summary["phases"][0]["background_per_s"]
    for each in summary["phases"]:
        queues = [node["queue"] for node in each["nodes"].values()]
        shown.add_row(
            each["name"], f"{each['background_per_s']:.1f}", f"{_ratio(each['background_per_s'], usual):.3f}",
            f"{each['background_p99_ms']:.0f}", f"{each['hot_offered_per_s']:.0f}",
            f"{each['hot_accepted_per_s']:.1f}", f"{each['hot_rejected_per_s']:.0f}", f"{np.mean(queues):.1f}",
        )  # fmt: skip
    return shown


def _ratio(part: float, usual: float) -> float:
    return round(part / usual, 4) if usual else math.nan
