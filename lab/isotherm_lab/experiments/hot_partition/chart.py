# SPDX-License-Identifier: Apache-2.0
"""The chart of a hot partition, drawn from the files that its run wrote."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isotherm_lab.charts import style
from isotherm_lab.charts.style import BLUE, GREEN, VERMILION
from isotherm_lab.experiments.hot_partition import fair_chart
from isotherm_lab.experiments.hot_partition.plan import HOT, NAME
from isotherm_lab.experiments.hot_partition.series import QUEUES, SECONDS
from isotherm_lab.measure import summary

CHART = "chart.png"
_ROOM_FOR_LABELS = 1.15
_BACKGROUND, _ACCEPTED, _REJECTED = BLUE, GREEN, VERMILION
_SHADES = {"background": "#ffffff", "hot": "#fbeee6", "limited": "#eef5ee"}


def draw(folder: Path) -> list[Path]:
    """Draw the run in this folder; return the pictures. LabError when its files are missing or torn."""
    listed = summary.read(folder, NAME)
    with summary.reading(folder, NAME):
        figure = of_run(listed, _columns(folder / SECONDS), _by_node(folder / QUEUES))
        hot_s = {name: _hot_s(variant["phases"]) for name, variant in listed["fair_share"].items()}
        fair = fair_chart.of_file(folder / fair_chart.SECONDS, hot_s)
    return [style.save(figure, folder / CHART), style.save(fair, folder / fair_chart.CHART)]


def of_run(
    listed: Mapping[str, Any], clients: Mapping[str, np.ndarray], nodes: Mapping[str, Mapping[str, np.ndarray]]
) -> Figure:
    """Draw background reads, the hot partition's reads accepted and rejected, and the nodes' queues, over time."""
    with rc_context(style.STYLE):
        figure = Figure(figsize=(10, 8), layout="constrained")
        panels = figure.subplots(4, 1, sharex=True)
        at = clients["second"] + 0.5
        for axes, column, title, colour in (
            (panels[0], "background_per_s", "Background reads/s", _BACKGROUND),
            (panels[1], "hot_accepted_per_s", "Reads/s of the hot partition, accepted", _ACCEPTED),
            (panels[2], "hot_rejected_per_s", "Reads/s of the hot partition, rejected", _REJECTED),
        ):
            axes.set_title(title)
            axes.plot(at, clients[column], color=colour, linewidth=1.8)
        panels[3].set_title("Replica queue: reads waiting on each node")
        for place, (address, node) in enumerate(sorted(nodes.items())):
            panels[3].plot(
                node["second"] + 0.5, node["queue"], color=style.NODES[place % len(style.NODES)], label=address
            )
        style.from_zero(panels)
        panels[0].set_ylim(top=panels[0].get_ylim()[1] * _ROOM_FOR_LABELS)
        panels[0].set_xlim(at[0] - 0.5, at[-1] + 0.5)
        for axes in panels:
            _phases(axes, listed, at, labelled=axes is panels[0])
        panels[3].set_xlabel("time (s), 0: ALTER TABLE")
        figure.legend(loc="outside lower center", ncols=len(nodes), frameon=False)
        limit = listed["settings"]["limit_per_s"]
        figure.suptitle(f"A hot partition, then at most {limit} reads/s of it", fontsize=12, fontweight="bold")
        return figure


def _hot_s(phases: Sequence[Mapping[str, Any]]) -> float:
    """Return for how many seconds from 0 on the hot clients went on."""
    return next(phase["to_s"] for phase in phases if phase["name"] == HOT)


def _phases(axes: Axes, listed: Mapping[str, Any], at: np.ndarray, labelled: bool) -> None:
    """Shade the phases and mark where one ends: when the hot client starts, and at the ALTER."""
    begins = [at[0] - 0.5, listed["hot_starts_s"], 0.0]
    for begin, end, (name, shade) in zip(begins, [*begins[1:], at[-1] + 0.5], _SHADES.items(), strict=True):
        axes.axvspan(begin, end, color=shade, zorder=0, linewidth=0)
        if begin != begins[0]:
            style.mark(axes, begin)
        if labelled:
            style.label(axes, begin, name, offset=(4, -3), size=9)


def _columns(file: Path) -> dict[str, np.ndarray]:
    with open(file, newline="", encoding="ascii") as lines:
        rows = list(csv.DictReader(lines))
    if not rows:
        raise ValueError(f"{file.name} is empty")
    return {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}


def _by_node(file: Path) -> dict[str, dict[str, np.ndarray]]:
    with open(file, newline="", encoding="ascii") as lines:
        rows = list(csv.DictReader(lines))
    found: dict[str, dict[str, np.ndarray]] = {}
    for address in {row["node"] for row in rows}:
        own = [row for row in rows if row["node"] == address]
        found[address] = {name: np.array([float(row[name]) for row in own]) for name in ("second", "queue")}
    return found
