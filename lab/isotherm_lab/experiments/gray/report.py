# SPDX-License-Identifier: Apache-2.0
"""Runs the faults, and writes, shows and judges what came of them."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from isotherm_lab.cluster import page_cache_storage
from isotherm_lab.errors import LabError
from isotherm_lab.experiments import promises
from isotherm_lab.experiments.gray import promised
from isotherm_lab.experiments.gray.fault import Fault
from isotherm_lab.experiments.gray.plan import NAME, Plan, Suite, key, title
from isotherm_lab.experiments.gray.run import run
from isotherm_lab.experiments.gray.table import table
from isotherm_lab.experiments.obstacles import left_out
from isotherm_lab.measure import summary
from isotherm_lab.progress import Bars


def run_and_report(suite: Suite, folder: Path, console: Console) -> None:
    """Run every variant on every table; the summary is complete after each cluster. BrokenPromiseError at the end."""
    skipped = left_out({fault.name: fault.obstacle for plan in suite.plans.values() for fault in plan.faults}, console)
    plans = _possible(suite, console)
    faults: dict[str, dict[str, Any]] = {}
    settings = {name: _settings(plan) for name, plan in plans.items()}
    file = folder / summary.FILE
    for name, whole in plans.items():
        plan = replace(whole, faults=tuple(fault for fault in whole.faults if fault.name not in skipped))
        if not plan.faults:
            raise LabError("None of the faults asked for can be had here.")
        for variant in suite.variants:

            def folder_of(fault: Fault, name: str = name, variant: str = variant.name) -> Path:
                return folder / key(fault.name, name) / variant

            with Bars(console, f"{variant.name}, {name}", plan.expected_s()) as bars:
                runs = run(plan, variant, folder / name / variant.name, folder_of, bars)
            for fault, each in runs.items():
                faults.setdefault(key(fault, name), {})[variant.name] = each
            content = {"experiment": NAME, "faults": faults, "skipped": skipped, "settings": settings}
            file = summary.write(folder, content)
    for fault, runs in faults.items():
        console.print(table(runs, title(fault)))
    console.print(f"The numbers are in {file}, the raw series beside it.", soft_wrap=True, highlight=False)
    promises.report(promised.promises(faults), console)


def _possible(suite: Suite, console: Console) -> Mapping[str, Plan]:
    """Return the plans of the tables that can be had here; say which cannot, LabError when none can."""
    if not any(plan.table.page_cache for plan in suite.plans.values()):
        return suite.plans
    missing = page_cache_storage.missing()
    if missing is None:
        if lesser := page_cache_storage.shortcoming():
            console.print(lesser, highlight=False, soft_wrap=True)
        return suite.plans
    plans = {name: plan for name, plan in suite.plans.items() if not plan.table.page_cache}
    if not plans:
        raise LabError(missing)
    console.print(f"{missing} Its table is left out.", highlight=False, soft_wrap=True)
    return plans


def _settings(plan: Plan) -> dict[str, Any]:
    faults = {fault.name: {"lasts_s": fault.lasts_s(plan.fault_s), "title": fault.title,
                           "own_clients_apart": fault.own_clients_apart} for fault in plan.faults}  # fmt: skip
    return {**vars(plan), "table": asdict(plan.table), "faults": faults}
