# SPDX-License-Identifier: Apache-2.0
"""Where the nodes spend the processor time of a read and of a rejection: on which of their threads."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from isotherm_lab.experiments.rejection_cost.run import IDLE, READ, REJECTION, Measured
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.load.windows import Spent
from isotherm_lab.measure.thread_use import GROUPS, Use


def by_group(measured: Measured) -> dict[str, dict[str, float]]:
    """Return each group's processor microseconds and runs of threads per operation, less those of idle nodes.

    Idle nodes' are per second, in milliseconds and runs. A group that compiles or collects now and then has values
    below 0 where it did more of it while idle.
    """
    idle, read, rejection = (_sum([window.spent for window in measured.windows[kind]]) for kind in _KINDS)
    return {
        group: {
            "idle_ms_per_s": round(idle.by_group[group].cpu_s / idle.seconds * 1e3, 3),
            "idle_runs_per_s": round(idle.by_group[group].runs / idle.seconds, 1),
            "read_us": round(_cpu_us(read, idle, group), 2),
            "read_runs": round(_runs(read, idle, group), 3),
            "rejection_us": round(_cpu_us(rejection, idle, group), 2),
            "rejection_runs": round(_runs(rejection, idle, group), 3),
        }
        for group in GROUPS
    }


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the groups of all rows for a person."""
    shown = result_table(
        "On which threads",
        "CPU of all nodes; of reads and rejections less what idle nodes spend. Runs: how often a thread is put on a"
        " processor.",
        left=["rows, offered\n  threads"],
        right=["idle\nms/s", "\nruns/s", "read\nµs", "\nruns", "rejection\nµs", "\nruns"],
        padding=1,
    )
    for row in rows:
        shown.add_row(f"{row['partition_rows']}, {row['offered']}")
        for group, spent in row["threads"].items():
            shown.add_row(
                f"  {group}",
                f"{spent['idle_ms_per_s']:.1f}",
                f"{spent['idle_runs_per_s']:.0f}",
                f"{spent['read_us']:.0f}",
                f"{spent['read_runs']:.1f}",
                f"{spent['rejection_us']:.0f}",
                f"{spent['rejection_runs']:.1f}",
            )
    return shown


_KINDS = (IDLE, READ, REJECTION)


def _sum(windows: Sequence[Spent | None]) -> Spent:
    known = [window for window in windows if window is not None]
    return Spent(
        sum(window.seconds for window in known),
        sum(window.operations for window in known),
        {group: sum((window.by_group[group] for window in known), Use()) for group in GROUPS},
    )


def _cpu_us(spent: Spent, idle: Spent, group: str) -> float:
    idle_s = idle.by_group[group].cpu_s / idle.seconds * spent.seconds
    return (spent.by_group[group].cpu_s - idle_s) / spent.operations * 1e6


def _runs(spent: Spent, idle: Spent, group: str) -> float:
    idle_runs = idle.by_group[group].runs / idle.seconds * spent.seconds
    return (spent.by_group[group].runs - idle_runs) / spent.operations
