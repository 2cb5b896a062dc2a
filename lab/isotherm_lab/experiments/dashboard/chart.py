# SPDX-License-Identifier: Apache-2.0
"""The dashboard as a picture: its panels where Grafana has them, with what a Prometheus answered."""

from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from isotherm_lab.charts import style
from isotherm_lab.experiments.dashboard.plan import NAME
from isotherm_lab.measure import summary

CHART = "dashboard.png"
_COLUMNS = 24
_COLOURS = (
    style.BLUE, style.GREEN, style.ORANGE, style.VERMILION, style.SKY_BLUE, style.PURPLE, style.YELLOW, "#999999",
)  # fmt: skip
#: As many names as there is room for below a panel, and the length from which on two of them fill a line.
_MOST_NAMES, _LONG_NAME = 8, 29
_UNITS = {"ops": "per second", "s": "seconds", "percentunit": "", "bytes": "KiB", "short": ""}


def draw(folder: Path) -> list[Path]:
    """Draw the run in this folder; return the picture. LabError when its summary is missing or torn."""
    listed = summary.read(folder, NAME)
    with summary.reading(folder, NAME):
        figure = of_run(listed)
    return [style.save(figure, folder / CHART)]


def of_run(listed: Mapping[str, Any]) -> Figure:
    """Draw every panel; lines mark when the scenes began."""
    panels = listed["panels"]
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels)
    with rc_context(style.STYLE | {"font.size": 7, "axes.titlesize": 8, "legend.fontsize": 6, "axes.labelsize": 7}):
        figure = Figure(figsize=(12, height * 0.3))
        grid = GridSpec(height, _COLUMNS, figure, left=0.04, right=0.99, top=0.99, bottom=0.01, hspace=0.2, wspace=3)
        for panel in panels:
            place = panel["gridPos"]
            columns = slice(place["x"], place["x"] + place["w"])
            if panel["type"] == "row":
                _heading(figure.add_subplot(grid[place["y"], columns]), panel["title"])
            else:
                # One row of the grid's is left for the numbers below, and one for the names of the lines.
                rows = slice(place["y"] + 1, place["y"] + place["h"] - 2)
                _panel(figure.add_subplot(grid[rows, columns]), panel, listed["scenes"])
        return figure


def _heading(axes: Axes, title: str) -> None:
    axes.axis("off")
    axes.text(0, 0.2, title, fontsize=10, fontweight="bold")


def _panel(axes: Axes, panel: Mapping[str, Any], scenes: list[Mapping[str, Any]]) -> None:
    axes.set_title(panel["title"], loc="left", fontweight="bold")
    for colour, series in zip(cycle(_COLOURS), panel["series"], strict=False):
        scale = 1 / 1024 if panel["unit"] == "bytes" else 1
        at = [point[0] for point in series["values"]]
        axes.plot(at, [scale * point[1] for point in series["values"]], color=colour, label=series["name"])
    axes.set_ylabel(_UNITS.get(panel["unit"], panel["unit"]))
    axes.yaxis.set_major_locator(MaxNLocator(4))
    if panel["unit"] == "percentunit":
        axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value // 60:.0f}:{value % 60:02.0f}"))
    style.from_zero([axes])
    axes.set_xlim(left=0)
    for scene in scenes[1:]:
        style.mark(axes, scene["from_s"])
        style.label(axes, scene["from_s"], scene["name"], size=5)
    handles, names = axes.get_legend_handles_labels()
    # What is 0 all the time needs no name where something is not.
    some = [any(value for _, value in series["values"]) for series in panel["series"]]
    listed = [each for each in zip(handles, names, some, strict=True) if each[2] or not any(some)][:_MOST_NAMES]
    columns = 4 if max((len(name) for _, name, _ in listed), default=0) < _LONG_NAME else 2
    axes.legend(
        [each[0] for each in listed], [each[1] for each in listed], loc="upper center", bbox_to_anchor=(0.5, -0.12),
        ncols=columns, frameon=False,
    )  # fmt: skip
