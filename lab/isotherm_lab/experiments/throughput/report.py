# SPDX-License-Identifier: Apache-2.0
"""Runs the throughput experiment, and writes and shows what came of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from isotherm_lab.experiments.throughput.run import AFFINITY, LOCAL, NAME, OFF, PLAIN, Measured, Phase, Plan, run
from isotherm_lab.load.closed_loop import Window
from isotherm_lab.measure import paired
from isotherm_lab.progress import Bars


def run_and_report(plan: Plan, results: Path, console: Console) -> dict[str, Any]:
    """Run the plan; results/throughput/summary.json is complete after each phase."""
    file = results / NAME / "summary.json"
    summary: dict[str, Any] = {"experiment": NAME, "pairs": [], "rows": [], "settings": asdict(plan)}
    with Bars(console, NAME, plan.expected_s()) as bars:
        for phase, measured in run(plan, bars):
            for name, rival in comparisons(phase):
                summary["rows"].append(row(phase, name, rival, measured))
                summary["pairs"] += pairs(phase, name, rival, measured)
            _write(file, summary)
    console.print(table(summary["rows"]))
    console.print(f"The numbers, with every pair, are in {file}", soft_wrap=True, highlight=False)
    return summary


def comparisons(phase: Phase) -> list[tuple[str, str]]:
    """Return who is compared with whom: each with plain Cassandra, and balancing with itself switched off."""
    found = [(name, PLAIN) for name in phase.competitors if name != PLAIN]
    return found + [(LOCAL, OFF)] * (OFF in phase.competitors and LOCAL in phase.competitors)


def row(phase: Phase, name: str, rival: str, measured: Mapping[str, Measured]) -> dict[str, Any]:
    """Return the comparison of one competitor with a rival: medians of their windows, and paired ratios."""
    mine, other = measured[name].windows, measured[rival].windows
    speed = paired.ratio(_speeds(mine), _speeds(other))
    cpu = paired.ratio(_costs(mine), _costs(other))
    return {
        "variant": name,
        "against": rival,
        "consistency": phase.consistency,
        "heat": "differs" if phase.heat_differs else "equal",
        "pairs": len(mine),
        "plain_per_s": round(float(np.median(_speeds(other))), 1),
        "isotherm_per_s": round(float(np.median(_speeds(mine))), 1),
        "ratio": round(speed.median, 4),
        "ratio_low": round(speed.low, 4),
        "ratio_high": round(speed.high, 4),
        "cpu_us_per_read_plain": round(float(np.median(_costs(other))), 2),
        "cpu_us_per_read_isotherm": round(float(np.median(_costs(mine))), 2),
        "cpu_ratio": round(cpu.median, 4),
        "cpu_ratio_low": round(cpu.low, 4),
        "cpu_ratio_high": round(cpu.high, 4),
        "client_cpu_us_per_read": round(float(np.median([each.client_cpu_s / each.reads for each in mine])) * 1e6, 2),
        "drawn_by_heat": round(measured[name].drawn, 3),
    }


def pairs(phase: Phase, name: str, rival: str, measured: Mapping[str, Measured]) -> list[dict[str, Any]]:
    """Return the windows behind a row, pair by pair."""
    return [
        {
            "variant": name,
            "against": rival,
            "consistency": phase.consistency,
            "heat": "differs" if phase.heat_differs else "equal",
            "isotherm_per_s": round(mine.per_s, 1),
            "plain_per_s": round(other.per_s, 1),
            "cpu_us_per_read_isotherm": round(mine.cpu_us_per_read, 2),
            "cpu_us_per_read_plain": round(other.cpu_us_per_read, 2),
        }
        for mine, other in zip(measured[name].windows, measured[rival].windows, strict=True)
    ]


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the rows for a person."""
    shown = Table(
        title="Throughput at saturation, nothing cold",
        caption=(
            "Medians of alternating windows; ratio: median of the pairs and its 95 % interval. CPU: all nodes together,"
            f" per read. drawn: reads whose replicas were chosen by heat. {AFFINITY} sends more reads over the network"
            f" by design; {OFF} is the plugin switched off."
        ),
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 0),
        pad_edge=False,
    )
    for heading in ("variant\n  against", "level\nheat"):
        shown.add_column(heading, no_wrap=True)
    for heading in ("reads/s\nagainst", "ratio\n", "CPU µs\nagainst", "CPU ratio\n", "drawn\n"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for each in rows:
        shown.add_row(
            f"{each['variant']}\n  {each['against']}",
            f"{each['consistency']}\n{each['heat']}",
            f"{each['isotherm_per_s']:.0f}\n{each['plain_per_s']:.0f}",
            f"{each['ratio']:.3f}\n{each['ratio_low']:.3f}-{each['ratio_high']:.3f}",
            f"{each['cpu_us_per_read_isotherm']:.1f}\n{each['cpu_us_per_read_plain']:.1f}",
            f"{each['cpu_ratio']:.3f}\n{each['cpu_ratio_low']:.3f}-{each['cpu_ratio_high']:.3f}",
            f"{each['drawn_by_heat']:.0%}",
        )
    return shown


def _speeds(windows: Sequence[Window]) -> np.ndarray:
    return np.array([window.per_s for window in windows]).reshape(-1, 2)


def _costs(windows: Sequence[Window]) -> np.ndarray:
    return np.array([window.cpu_us_per_read for window in windows]).reshape(-1, 2)


def _write(file: Path, summary: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(".json.tmp")
    temporary.write_text(json.dumps(summary, indent=1) + "\n")
    temporary.replace(file)
