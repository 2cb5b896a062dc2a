# SPDX-License-Identifier: Apache-2.0
"""Runs the cold restart for several variants and sizes, and writes and shows the comparison."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from isotherm_lab.cluster.variants import Variant
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.cold_restart import chart, table
from isotherm_lab.experiments.cold_restart.run import NAME, RESTARTED, Plan, run, settings
from isotherm_lab.measure import summary
from isotherm_lab.progress import Bars

_TITLES = {"fits": "Data that fits the cache", "exceeds": "A cache two thirds of the data"}


def run_all(
    plans: Mapping[str, Plan], variants: Sequence[Variant], results: Path, console: Console
) -> dict[str, dict[str, Any]]:
    """Run every variant at every size; results/cold-restart/summary.json is complete after each run."""
    folder = results / NAME
    runs: dict[str, dict[str, Any]] = {"fits": {}, "exceeds": {}}
    described = {size: settings(plan) for size, plan in plans.items()}
    for size, plan in plans.items():
        for variant in variants:
            with Bars(console, f"{variant.name}, {size}", plan.expected_s()) as bars:
                outcome = run(plan, variant, folder / size / variant.name, bars)
            runs[size][variant.name] = outcome.result
            summary.write(folder / "summary.json", NAME, runs, described)
        console.print(table.table(runs[size], RESTARTED, f"Cold restart. {_TITLES[size]}"))
    console.print(f"The numbers are in {folder / 'summary.json'}, the raw series beside it.")
    show_charts(results, console)
    return runs


def show_charts(results: Path, console: Console) -> None:
    """Draw the charts of the results and say where they are; LabError when there are no results."""
    files = chart.draw(results / NAME, RESTARTED)
    if not files:
        raise LabError(f"{results / NAME} lists no finished run: `isotherm-lab run cold-restart` makes some.")
    console.print("The charts:")
    for file in files:
        console.print(f"  {file}", highlight=False, soft_wrap=True)
