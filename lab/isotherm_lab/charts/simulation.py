# SPDX-License-Identifier: Apache-2.0
"""The charts of `make simulate`, drawn from its summary: python -m isotherm_lab.charts.simulation FOLDER."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isotherm_lab.charts import style
from isotherm_lab.charts.style import BLUE, GREEN, ORANGE, PURPLE
from isotherm_lab.errors import LabError

SUMMARY = "summary.json"
COLOURS = {"isotherm": ORANGE, "uniform": BLUE, "static": GREEN, "shunning": PURPLE}
#: Which scenarios are drawn beside each other in which file; one that was not simulated is left out.
PICTURES = {
    "sizes.png": [("one cold node", nodes) for nodes in (3, 12, 99, 999)],
    "loads.png": [
        ("disks at 75 %", 12),
        ("a rack back cold, disks at 75 %", 99),
        ("warm nodes that miss nothing", 12),
        ("a rack back cold, processors at 67 %", 99),
    ],
}
_SMOOTHING_S = 5


def draw(folder: Path) -> list[Path]:
    """Draw every picture of which the summary in the folder has a scenario; return the files.

    LabError when there is no summary.
    """
    try:
        summary = json.loads((folder / SUMMARY).read_text())
    except OSError as error:
        raise LabError(f"There is no summary in {folder}: `make simulate` makes one.") from error
    scenarios = {(each["name"], each["nodes"]): each for each in summary["scenarios"]}
    files = []
    for name, wanted in PICTURES.items():
        chosen = [scenarios[each] for each in wanted if each in scenarios]
        if chosen:
            files.append(style.save(picture(chosen), folder / name))
    return files


def picture(scenarios: Sequence[dict[str, Any]]) -> Figure:
    """Draw a column for each scenario; in it the reads and misses of a cold node, and p99."""
    with rc_context(style.STYLE):
        figure = Figure(figsize=(2.9 * len(scenarios) + 0.6, 6.6), layout="constrained")
        grid = figure.subplots(3, len(scenarios), sharex="col", squeeze=False)
        for column, scenario in enumerate(scenarios):
            _column(grid[:, column], scenario)
        for axes, label in zip(grid[:, 0], ("reads/s\nof a cold node", "misses/s\nof it", "p99 (ms)"), strict=True):
            axes.set_ylabel(label)
        style.from_zero(grid[:2].flat)
        handles, labels = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
        return figure


def _column(column: Sequence[Axes], scenario: dict[str, Any]) -> None:
    reads, misses, latency = column
    reads.set_title(f"{scenario['name']},\n{scenario['nodes']} nodes", fontweight="bold", fontsize=8)
    for outcome in scenario["outcomes"]:
        series, colour = outcome["series"], COLOURS[outcome["policy"]]
        seconds = np.arange(len(series["p99_ms"])) - scenario["event_s"] + 0.5
        shown = seconds > -20
        for axes, name in ((reads, "cold_reads"), (misses, "cold_misses"), (latency, "p99_ms")):
            values = np.asarray(series[name], dtype=float)
            if axes is not latency:
                values = _smoothed(values)
            axes.plot(seconds[shown], values[shown], color=colour, label=outcome["policy"])
    latency.set_yscale("log")
    latency.set_xlabel("time (s), 0: back")
    for axes in column:
        style.mark(axes, 0)


def _smoothed(values: np.ndarray) -> np.ndarray:
    window = np.ones(_SMOOTHING_S)
    return np.convolve(values, window, "same") / np.convolve(np.ones_like(values), window, "same")


def main() -> None:
    """Draw, and say where the charts are."""
    try:
        for file in draw(Path(sys.argv[1])):
            print(file)
    except LabError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
