# SPDX-License-Identifier: Apache-2.0
"""Runs the cost of a rejection, and writes, shows and judges what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from isotherm_lab.errors import LabError
from isotherm_lab.experiments import promises
from isotherm_lab.experiments.rejection_cost import promised, threads
from isotherm_lab.experiments.rejection_cost.plan import NAME, Plan
from isotherm_lab.experiments.rejection_cost.run import IDLE, READ, REJECTION, Measured, run
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.load.windows import Window
from isotherm_lab.measure import paired, summary
from isotherm_lab.progress import Bars

#: A limit of 1/s lets so few reads through that what they cost is left in the cost of the rejections.
_LEAST_REJECTED = 0.98


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run the plan; the summary is complete after each partition. BrokenPromiseError when one is broken."""
    rows: list[dict[str, Any]] = []
    with Bars(console, NAME, plan.expected_s()) as bars:
        for measured in run(plan, folder, bars):
            rows.append(row(measured))
            file = summary.write(folder, {"experiment": NAME, "rows": rows, "settings": asdict(plan)})
    console.print(table(rows, plan))
    console.print(threads.table(rows))
    console.print(f"The numbers, with every window, are in {file}", soft_wrap=True, highlight=False)
    promises.report(promised.promises(rows), console)


def row(measured: Measured) -> dict[str, Any]:
    """Return the costs for one partition: means over the windows, and their ratio."""
    windows = measured.windows
    rejected, answered = (sum(getattr(each, what) for each in windows[REJECTION]) for what in ("rejected", "answered"))
    # Nothing that came back at all is nothing rejected.
    share = rejected / max(1, rejected + answered)
    if share < _LEAST_REJECTED:
        raise LabError(f"Only {share:.1%} of the reads above the limit were rejected: their cost cannot be told apart.")
    idle = [window.cpu_s / window.seconds for window in windows[IDLE]]
    reads = _costs(windows[READ], idle, "answered")
    rejections = _costs(windows[REJECTION], idle, "rejected")
    try:
        ratio = paired.ratio_of_sums(np.reshape(rejections, (-1, 2)), np.reshape(reads, (-1, 2)))
    except ValueError:
        raise LabError("The nodes spent more when idle than under load: something else runs on this machine.") from None
    return {
        "partition_rows": measured.rows,
        "offered": measured.offered,
        "pairs": len(reads),
        "reads_per_s": round(_per_s(windows[READ]), 1),
        "rejections_per_s": round(_per_s(windows[REJECTION]), 1),
        "read_cpu_us": round(float(np.mean(reads)), 2),
        "rejection_cpu_us": round(float(np.mean(rejections)), 2),
        "ratio": round(ratio.median, 4),
        "ratio_low": round(ratio.low, 4),
        "ratio_high": round(ratio.high, 4),
        "rejected": round(share, 5),
        "idle_cpu_per_s": round(float(np.median(idle)), 4),
        "threads": threads.by_group(measured),
        "windows": {kind: [asdict(window) for window in windows[kind]] for kind in windows},
    }


def table(rows: Sequence[Mapping[str, Any]], plan: Plan) -> Table:
    """Return the rows for a person."""
    shown = result_table(
        "What a rejection costs",
        f"CPU of all nodes together, less what they spend idle; fixed: both at {plan.rate:.0f} reads/s,"
        " saturating: as many as the nodes bear. Means over alternating windows; interval: 95 %, by blocks of"
        " windows.",
        left=[],
        right=["rows in the\npartition", "offered\n", "CPU µs\na read", "CPU µs\na rejection", "ratio\n", "interval\n"],
        padding=1,
    )
    for each in rows:
        interval = f"{each['ratio_low']:.3f}-{each['ratio_high']:.3f}"
        costs = (f"{each[kind]:.0f}" for kind in ("read_cpu_us", "rejection_cpu_us"))
        shown.add_row(str(each["partition_rows"]), each["offered"], *costs, f"{each['ratio']:.3f}", interval)
    return shown


def _costs(windows: Sequence[Window], idle: Sequence[float], counted: str) -> list[float]:
    """Return CPU microseconds per operation of each window, less those of the idle window in its half.

    LabError when a window has no operation.
    """
    if not all(getattr(window, counted) for window in windows):
        raise LabError(f"There is a window in which no read was {counted}: what one costs cannot be told.")
    return [
        (window.cpu_s - spent * window.seconds) / getattr(window, counted) * 1e6
        for window, spent in zip(windows, idle, strict=True)
    ]


def _per_s(windows: Sequence[Window]) -> float:
    return float(np.median([(each.answered + each.rejected) / each.seconds for each in windows]))
