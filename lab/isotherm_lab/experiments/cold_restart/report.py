# SPDX-License-Identifier: Apache-2.0
"""Runs the cold restart for several variants and sizes, and writes, shows and judges the comparison."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from isotherm_lab.cluster import page_cache_storage
from isotherm_lab.experiments import promises
from isotherm_lab.experiments.cold_restart import promised
from isotherm_lab.experiments.cold_restart.plan import NAME, RESTARTED, Suite
from isotherm_lab.experiments.cold_restart.run import run
from isotherm_lab.experiments.cold_restart.table import table
from isotherm_lab.measure import summary
from isotherm_lab.progress import Bars

_TITLES = {"fits": "Data that fits the cache", "exceeds": "A cache two thirds of the data"}


def run_and_report(suite: Suite, folder: Path, console: Console) -> None:
    """Run every variant at every size, the summary complete after each; BrokenPromiseError when one is broken."""
    runs: dict[str, dict[str, Any]] = {"fits": {}, "exceeds": {}}
    plans = suite.plans
    if suite.instead and (missing := page_cache_storage.missing()):
        console.print(f"{missing} The slow-disk compressor is used instead.", highlight=False, soft_wrap=True)
        plans = suite.instead
    elif suite.instead and (lesser := page_cache_storage.shortcoming()):
        console.print(lesser, highlight=False, soft_wrap=True)
    settings = {size: asdict(plan) for size, plan in plans.items()}
    for size, plan in plans.items():
        for variant in suite.variants:
            with Bars(console, f"{variant.name}, {size}", plan.expected_s()) as bars:
                runs[size][variant.name] = run(plan, variant, folder / size / variant.name, bars)
            file = summary.write(folder, {"experiment": NAME, **runs, "settings": settings})
        missed = "misses" if plan.heat_source == "cache" else "disk reads"
        console.print(table(runs[size], RESTARTED, f"Cold restart. {_TITLES[size]}", missed))
    console.print(f"The numbers are in {file}, the raw series beside it.")
    promises.report([each for size, own in runs.items() for each in promised.promises(size, own)], console)
