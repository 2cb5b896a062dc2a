# SPDX-License-Identifier: Apache-2.0
"""Runs the throughput experiment, and writes and shows what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.experiments.throughput.plan import (
    AFFINITY,
    AGAIN,
    FAIR,
    LOCAL,
    NAME,
    NOTHING,
    OFF,
    PLAIN,
    UNPLUGGED,
    UNPLUGGED_AGAIN,
    Phase,
    Plan,
)
from isotherm_lab.experiments.throughput.run import Measured, run
from isotherm_lab.load.windows import Window
from isotherm_lab.measure import paired, summary
from isotherm_lab.progress import Bars

#: Where heats differ reads are drawn, which costs what is promised of it: a cluster that draws fewer shows nothing.
_LEAST_DRAWN = 0.9
#: What is promised of the rival's throughput, on the same nodes; of another cluster a tenth less, by which two equal
#: ones differ.
PROMISED = {(NOTHING, UNPLUGGED): 0.99, (LOCAL, UNPLUGGED): 0.98, (LOCAL, PLAIN): 0.88, (FAIR, LOCAL): 0.98}


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run the plan; the summary is complete after each phase. LabError when a promise is broken."""
    found: dict[str, Any] = {"experiment": NAME, "pairs": [], "rows": [], "settings": asdict(plan)}
    with Bars(console, NAME, plan.expected_s()) as bars:
        for phase, measured in run(plan, bars):
            for name, rival in comparisons(phase):
                found["rows"].append(row(phase, name, rival, measured))
                found["pairs"] += pairs(phase, name, rival, measured)
            file = summary.write(folder, found)
    console.print(table(found["rows"]))
    console.print(f"The numbers, with every pair, are in {file}", soft_wrap=True, highlight=False)
    sentences = [
        f"{what}: {'; '.join(of)}."
        for what, of in (
            (f"Fewer than {_LEAST_DRAWN:.0%} of the reads were drawn by heat", undrawn(found["rows"])),
            ("Less throughput than promised", broken(found["rows"])),
        )
        if of
    ]
    if sentences:
        raise LabError("\n".join(sentences))


def undrawn(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return which rows are of reads that heat has not drawn, though nodes differ in it."""
    return [
        f"{each['drawn_by_heat']:.0%} with {each['variant']} at {each['consistency']} beside {each['against']}"
        for each in rows
        if each["variant"] == LOCAL and each["heat"] == "differs" and each["drawn_by_heat"] < _LEAST_DRAWN
    ]


def broken(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the promises that these rows refute: those above the whole interval of their ratio."""
    found = []
    for each in rows:
        promised = PROMISED.get((each["variant"], each["against"]))
        if promised is not None and each["ratio_high"] < promised:
            found.append(
                f"{each['variant']} at {each['consistency']} has {each['ratio']:.3f} x that of {each['against']}"
                f" ({each['ratio_low']:.3f}-{each['ratio_high']:.3f}), not {promised}"
            )
    return found


def comparisons(phase: Phase) -> list[tuple[str, str]]:
    """Return who is compared with whom.

    Each with the same nodes without the plugin, and with a cluster of plain Cassandra; balancing and fair shares with
    themselves off, and what decides by hundredths with itself.
    """
    pairs_of = [(name, UNPLUGGED) for name in phase.competitors if name not in (PLAIN, UNPLUGGED)]
    pairs_of += [(name, PLAIN) for name in phase.competitors if name != PLAIN]
    pairs_of += [(LOCAL, OFF), (AGAIN, LOCAL), (FAIR, LOCAL)]
    return [(name, rival) for name, rival in pairs_of if {name, rival} <= set(phase.competitors)]


def row(phase: Phase, name: str, rival: str, measured: Mapping[str, Measured]) -> dict[str, Any]:
    """Return the comparison of one competitor with a rival: medians of their windows, and paired ratios."""
    mine, other = measured[name].windows, measured[rival].windows
    speed = paired.ratio(_speeds(mine), _speeds(other))
    cpu = paired.ratio(_costs(mine), _costs(other))
    return _compared(phase, name, rival) | {
        "pairs": len(mine),
        "against_per_s": round(float(np.median(_speeds(other))), 1),
        "variant_per_s": round(float(np.median(_speeds(mine))), 1),
        "ratio": round(speed.median, 4),
        "ratio_low": round(speed.low, 4),
        "ratio_high": round(speed.high, 4),
        "cpu_us_per_read_against": round(float(np.median(_costs(other))), 2),
        "cpu_us_per_read_variant": round(float(np.median(_costs(mine))), 2),
        "cpu_ratio": round(cpu.median, 4),
        "cpu_ratio_low": round(cpu.low, 4),
        "cpu_ratio_high": round(cpu.high, 4),
        "client_cpu_us_per_read": round(float(np.median([each.client_cpu_us_each for each in mine])), 2),
        "drawn_by_heat": round(measured[name].drawn, 3),
        "compilers": round(measured[name].compilers, 4),
    }


def pairs(phase: Phase, name: str, rival: str, measured: Mapping[str, Measured]) -> list[dict[str, Any]]:
    """Return the windows behind a row, pair by pair."""
    return [
        _compared(phase, name, rival)
        | {
            "variant_per_s": round(mine.per_s, 1),
            "against_per_s": round(other.per_s, 1),
            "cpu_us_per_read_variant": round(mine.cpu_us_each, 2),
            "cpu_us_per_read_against": round(other.cpu_us_each, 2),
        }
        for mine, other in zip(measured[name].windows, measured[rival].windows, strict=True)
    ]


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return the rows for a person."""
    shown = result_table(
        "Throughput at saturation, nothing cold",
        "Medians of alternating windows; ratio: median of the pairs and its 95 % interval. CPU: all nodes together,"
        f" per read. drawn: reads whose replicas were chosen by heat. {AFFINITY} sends more reads over the network"
        f" by design; {OFF} is without heat, {NOTHING} without any feature, {UNPLUGGED} without the plugin, {FAIR} has"
        f" fair shares on, {AGAIN} and {UNPLUGGED_AGAIN} are the rival itself."
        " compilers: their part of the nodes' CPU.",
        left=["variant\n  against", "level\nheat"],
        right=["reads/s\nagainst", "ratio\n", "CPU µs\nagainst", "CPU ratio\n", "drawn\ncompilers"],
    )
    for each in rows:
        shown.add_row(
            f"{each['variant']}\n  {each['against']}",
            f"{each['consistency']}\n{each['heat']}",
            f"{each['variant_per_s']:.0f}\n{each['against_per_s']:.0f}",
            f"{each['ratio']:.3f}\n{each['ratio_low']:.3f}-{each['ratio_high']:.3f}",
            f"{each['cpu_us_per_read_variant']:.1f}\n{each['cpu_us_per_read_against']:.1f}",
            f"{each['cpu_ratio']:.3f}\n{each['cpu_ratio_low']:.3f}-{each['cpu_ratio_high']:.3f}",
            f"{each['drawn_by_heat']:.0%}\n{each['compilers']:.0%}",
        )
    return shown


def _compared(phase: Phase, name: str, rival: str) -> dict[str, Any]:
    """Return who is compared with whom, under which load."""
    heat = "differs" if phase.heat_differs else "equal"
    return {"variant": name, "against": rival, "consistency": phase.consistency, "heat": heat}


def _speeds(windows: Sequence[Window]) -> np.ndarray:
    return np.array([window.per_s for window in windows]).reshape(-1, 2)


def _costs(windows: Sequence[Window]) -> np.ndarray:
    return np.array([window.cpu_us_each for window in windows]).reshape(-1, 2)
