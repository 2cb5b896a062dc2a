# SPDX-License-Identifier: Apache-2.0
"""The comparison of the variants, as a table for a person."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from isotherm_lab.variants import VARIANTS


def table(runs: Mapping[str, Mapping[str, Any]], restarted: str, title: str) -> Table:
    """Return one row per variant: latency before, while down and just after, and what the restarted node does."""
    shown = Table(title=title, title_justify="left")
    shown.add_column("reads balanced by")
    for heading in (
        "p50 before\nms", "p50 down\nms", "p50 first 5 s\nms", "first 5 s\n/ down", "misses/s per node\nfirst 5 s",
        f"reads/s of {restarted}\nfirst 5 s → last", "rejoined\nafter s", "errors",
    ):  # fmt: skip
        shown.add_column(heading, justify="right")
    for name, run in runs.items():
        shown.add_row(VARIANTS[name].title, *_cells(run["phases"], run["rejoined_s"], restarted))
    return shown


def _cells(phases: list[dict[str, Any]], rejoined: float | None, restarted: str) -> list[str]:
    before = next(phase for phase in phases if phase["name"] == "before")
    down = next(phase for phase in phases if phase["name"] == "down")
    back = [phase for phase in phases if phase["name"] == "back"]
    first, last = back[0], back[-1]
    ratio = first["p50_ms"] / down["p50_ms"] if first["p50_ms"] and down["p50_ms"] else None
    misses = " / ".join(f"{node['misses_per_s']:.0f}" for _, node in sorted(first["nodes"].items()))
    reads = " → ".join(f"{phase['nodes'][restarted]['reads_per_s']:.0f}" for phase in (first, last))
    return [
        *(_number(phase["p50_ms"]) for phase in (before, down, first)),
        "-" if ratio is None else f"{ratio:.2f} x",
        misses,
        reads,
        "never" if rejoined is None else f"{rejoined:.0f}",
        str(sum(phase["errors"] for phase in phases)),
    ]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
