# SPDX-License-Identifier: Apache-2.0
"""The comparison of the variants, as a table for a person."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from isotherm_lab.experiments.result_table import result_table


def table(runs: Mapping[str, Mapping[str, Any]], restarted: str, title: str, missed: str = "misses") -> Table:
    """Return one row per variant: latency before, while down and just after, and what the restarted node does."""
    last_octet = restarted.rsplit(".", 1)[1]
    caption = (
        f"p50 in ms. {missed.capitalize()}/s of each node and reads/s of node {last_octet}, the one restarted: in the"
        f" first 5 s after it answers again (→ at the end); others: requests that went to another node first; back"
        f" after: until it serves 90 % of what the others do."
    )
    shown = result_table(
        title, caption, left=["variant"],
        right=["p50\nbefore", "\ndown", "\n0-5 s", "0-5 s\n/ down", "others\n/ down", f"{missed}/s\n1/2/3",
               f"reads/s\nof {last_octet}", "back\nafter", "err."],
    )  # fmt: skip
    for name, run in runs.items():
        shown.add_row(name, *_cells(run["phases"], run["rejoined_s"], restarted))
    return shown


def _cells(phases: list[dict[str, Any]], rejoined: float | None, restarted: str) -> list[str]:
    before = next(phase for phase in phases if phase["name"] == "before")
    down = next(phase for phase in phases if phase["name"] == "down")
    back = [phase for phase in phases if phase["name"] == "back"]
    first, last = back[0], back[-1]
    misses = "/".join(f"{node['misses_per_s']:.0f}" for _, node in sorted(first["nodes"].items()))
    reads = "→".join(f"{phase['nodes'][restarted]['reads_per_s']:.0f}" for phase in (first, last))
    return [
        *(_number(phase["p50_ms"]) for phase in (before, down, first)),
        _times(first["p50_ms"], down["p50_ms"]),
        _times(first["other_clients"]["p50_ms"], down["p50_ms"]),
        misses,
        reads,
        "never" if rejoined is None else f"{rejoined:.0f} s",
        str(sum(phase["errors"] for phase in phases)),
    ]


def _times(value: float | None, of: float | None) -> str:
    return f"{value / of:.2f}x" if value and of else "-"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
