# SPDX-License-Identifier: Apache-2.0
"""Runs the comparison of policies, and writes and shows what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.driver_gain.plan import CONDITIONS, NAME, Plan
from isotherm_lab.experiments.driver_gain.rows import rows
from isotherm_lab.experiments.driver_gain.run import run
from isotherm_lab.experiments.obstacles import left_out
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.load import driver_policies
from isotherm_lab.measure import summary
from isotherm_lab.progress import Bars


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run the plan; the summary is complete after each part. LabError when no part of it can be had here.

    Nor without the driver package.
    """
    driver_policies.check_installed()
    plan = possible(plan, console)
    found: dict[str, Any] = {"experiment": NAME, "rows": [], "settings": asdict(plan)}
    with Bars(console, NAME, plan.expected_s()) as bars:
        for part in run(plan, folder, bars):
            found["rows"] += rows(part)
            file = summary.write(folder, found)
    console.print(table(found["rows"]))
    console.print(f"The numbers are in {file}, every request beside it.", soft_wrap=True, highlight=False)


def possible(plan: Plan, console: Console) -> Plan:
    """Return the plan without the faults that cannot be had here, and say which; LabError when none is left."""
    faults = {name: CONDITIONS[name].fault for name in plan.conditions}
    out = left_out({name: fault.obstacle for name, fault in faults.items() if fault}, console)
    left = tuple(name for name in plan.conditions if name not in out)
    if not left:
        raise LabError("None of these faults can be had here.")
    return replace(plan, conditions=left)


def table(found: Sequence[Mapping[str, Any]]) -> Table:
    """Return the rows for a person."""
    shown = result_table(
        "An application on nodes with the plugin",
        "of stock: the median of the pairs of turns, requests/s; p50, p99: - where the request there failed; messages:"
        " reads that nodes ask each other for, per request; CPU of all nodes together.",
        left=["level\nfault", "\npolicy"],
        right=["requests/s\n", "of\nstock", "p50\nms", "p99\nms", "\nerrors", "\nmessages", "CPU µs\nper request"],
    )
    before = None
    for row in found:
        part = (row["consistency"], row["fault"])
        # A level and a fault are said once; two lines have room for both.
        name = row["consistency"] if part != before else row["fault"] if row["policy"] == "token-aware" else ""
        before = part
        shown.add_row(
            name, row["policy"], f"{row['requests_per_s']:.0f}", _number(row["of_stock"], 2), _number(row["p50_ms"], 1),
            _number(row["p99_ms"], 0), str(row["errors"]), _number(row["messages_per_request"], 2),
            _number(row["node_cpu_us_per_request"], 0),
        )  # fmt: skip
    return shown


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
