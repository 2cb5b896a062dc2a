# SPDX-License-Identifier: Apache-2.0
"""One fault under all variants, as a table for a person."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from isotherm_lab.experiments.result_table import result_table

_PERCENTILES = {"p50": "p50_ms", "p99": "p99_ms"}


def table(runs: Mapping[str, Mapping[str, Any]], title: str) -> Table:
    """Return two rows per variant, p50 and p99 in ms in each phase, and one of errors where there are some."""
    phases = next(iter(runs.values()))["phases"]
    headings, name = [], None
    for phase in phases:
        over = phase["name"] if phase["name"] != name else ""
        name = phase["name"]
        headings.append(f"{over}\n" + ("" if name == "well" else f"{phase['from_s']:.0f}-{phase['to_s']:.0f}"))
    shown = result_table(
        title, _caption(phases, runs), left=["variant", "ms"], right=[*headings, "recov-\nered", "re-\njoined"]
    )  # fmt: skip
    for variant, run in runs.items():
        times = [[_time(run["recovered_s"]), _time(run["rejoined_s"])], ["", ""]]
        if not run["settled"]:
            times = [["not"] * 2, ["settled"] * 2]
        for (label, field), own in zip(_PERCENTILES.items(), times, strict=True):
            shown.add_row(variant, label, *(_number(phase[field]) for phase in run["phases"]), *own)
            variant = ""
        errors = [phase["errors"] for phase in run["phases"]]
        if any(errors):
            shown.add_row("", "err", *map(str, errors), "", "")
        if not run["met"]:
            shown.add_row("", "*", *[""] * len(phases), "", "")
    return shown


def _caption(phases: list[dict[str, Any]], runs: Mapping[str, Mapping[str, Any]]) -> str:
    apart = " The faulty node's own clients are not counted." if "own_clients" in phases[0] else ""
    rounds = max(len(run.get("rounds", ())) for run in runs.values())
    return (f"Medians of {rounds} rounds. " if rounds else "") + (
        "Phases in s. Recovered: how long after the fault began p99 over 2 s stays below twice that while well."
        f" Rejoined: how long after it ended the node serves 90 % of its share for good. Not settled: the fault before"
        f" had not faded, so that neither is known.{apart} *: hardly read from the faulty node when the fault began."
    )


def _time(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.1f} s"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"
