# SPDX-License-Identifier: Apache-2.0
"""The chart of what the policies gain: requests/s and p99 of each, a column for each fault."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isotherm_lab.charts import style
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.driver_gain.plan import CONDITIONS, NAME, NONE
from isotherm_lab.load.driver_policies import AFFINITY, POLICIES, QUEUE_AWARE, STOCK, TOKEN_AWARE
from isotherm_lab.measure import summary

COLOURS = {STOCK: "#999999", TOKEN_AWARE: style.SKY_BLUE, QUEUE_AWARE: style.ORANGE, AFFINITY: style.BLUE}
LABELS = {
    STOCK: "the driver's TokenAwarePolicy",
    TOKEN_AWARE: "our TokenAwarePolicy",
    QUEUE_AWARE: "QueueAwarePolicy, reports",
    AFFINITY: "QueueAwarePolicy, reports and affinity",
}
_TITLES = {
    "slow-disk": "one slow disk",
    "stopped": "a stopped process",
    "late": "late messages",
    "paused": "a pausing process",
    "starved": "a tenth of a processor",
    "hung-disk": "a hung disk",
    "two-slow": "two slow disks",
    "all-slow": "three slow disks",
}
_WIDTH = 0.7
_ROOM_ABOVE = 1.18
_ROOM_ABOVE_LOG = 2.5


def draw(folder: Path) -> list[Path]:
    """Draw a picture for each level that the summary in the folder has; return the files. LabError when it has none."""
    listed = summary.read(folder, NAME)
    with summary.reading(folder, NAME):
        found = listed["rows"]
        files = [
            style.save(of_level(level, [row for row in found if row["consistency"] == level]), folder / f"{level}.png")
            for level in dict.fromkeys(row["consistency"] for row in found)
        ]
    if not files:
        raise LabError(f"{folder} lists nothing: `isotherm-lab run {NAME}` makes some.")
    return files


def of_level(level: str, rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw bars for the policies, one panel for requests/s and one for p99 in each column."""
    with rc_context(style.STYLE):
        faults = list(dict.fromkeys(row["fault"] for row in rows))
        figure = Figure(figsize=(2.4 * len(faults) + 1, 5), layout="constrained")
        grid = figure.subplots(2, len(faults), squeeze=False)
        for column, fault in enumerate(faults):
            own = [row for row in rows if row["fault"] == fault]
            speeds, slowest = grid[:, column]
            speeds.set_title(title(fault), fontweight="bold")
            _bars(speeds, own, "requests_per_s")
            speeds.set_ylim(0, speeds.get_ylim()[1] * _ROOM_ABOVE)
            _bars(slowest, own, "p99_ms")
            slowest.set_yscale("log")
            slowest.set_ylim(1, 20_000 * _ROOM_ABOVE_LOG)
        grid[0][0].set_ylabel("requests/s")
        grid[1][0].set_ylabel("p99 (ms)")
        figure.suptitle(f"One application on three nodes with the plugin, {level}", fontsize=12, fontweight="bold")
        handles = [grid[0][0].patches[place] for place in range(len(POLICIES))]
        figure.legend(handles, LABELS.values(), loc="outside lower center", ncols=2, frameon=False)
        return figure


def title(fault: str) -> str:
    """Return what befalls the cluster, in few words."""
    if fault == NONE:
        return "all is well"
    return _TITLES.get(fault, CONDITIONS[fault].name)


def _bars(axes: Axes, rows: Sequence[Mapping[str, Any]], field: str) -> None:
    values = [row[field] for row in rows]
    colours = [COLOURS[row["policy"]] for row in rows]
    bars = axes.bar(range(len(rows)), [value or 0 for value in values], color=colours, width=_WIDTH)
    labels = ["" if value is None else f"{value:,.0f}" for value in values]
    axes.bar_label(bars, labels=labels, fontsize=8, padding=2)
    for place, value in enumerate(values):
        if value is None:
            style.endless(axes, place, _WIDTH, colours[place])
    axes.set_axisbelow(True)
    axes.set_xticks([])
