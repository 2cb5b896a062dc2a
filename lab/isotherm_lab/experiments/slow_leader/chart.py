# SPDX-License-Identifier: Apache-2.0
"""The chart of the slow leader, drawn from the summary that its run wrote."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from isotherm_lab.charts import style
from isotherm_lab.experiments.slow_leader.plan import NAME
from isotherm_lab.measure import summary
from isotherm_lab.measure.last_octet import last_octet

CHART = "chart.png"
_COLOURS = {"cassandra": "#999999", "isotherm": style.BLUE}
_PERCENTILES = {"p50": "p50_ms", "mean": "mean_ms", "p99": "p99_ms", "p99.9": "p999_ms"}
_TITLES = {"well": "all nodes well", "one_slow": "one node slow", "two_slow": "two nodes slow"}


def draw(folder: Path) -> list[Path]:
    """Draw the run in this folder; return the picture. LabError when its summary is missing or torn."""
    listed = summary.read(folder, NAME)
    with summary.reading(folder, NAME):
        figure = of_run(listed)
    return [style.save(figure, folder / CHART)]


def of_run(listed: Mapping[str, Any]) -> Figure:
    """Draw each phase's latencies of the variants beside each other, and below how many updates each node led."""
    phases = [phase for phase in _TITLES if phase in listed["settings"]["phases"]]
    with rc_context(style.STYLE):
        figure = Figure(figsize=(10, 6), layout="constrained")
        above, below = figure.subplots(2, len(phases), sharey="row", squeeze=False)
        for phase, latencies, leaders in zip(phases, above, below, strict=True):
            latencies.set_title(_TITLES[phase])
            _latencies(latencies, listed["variants"], phase)
            _leaders(leaders, listed["variants"], phase)
        # Only now, as it ends the search for a scale that holds all phases.
        above[0].set_ylim(bottom=1)
        above[0].set_ylabel("latency (ms)")
        below[0].set_ylabel("led by node 1, 2, 3 (%)")
        handles, labels = above[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(handles), frameon=False)
        slowness = listed["settings"]["slowness"]
        figure.suptitle(f"Counter updates; a slow node's disk takes {slowness} times as long", fontweight="bold")
        return figure


def _latencies(axes: Axes, variants: Mapping[str, Any], phase: str) -> None:
    width = 0.8 / len(variants)
    for place, (name, own) in enumerate(variants.items()):
        at = [number + (place - (len(variants) - 1) / 2) * width for number in range(len(_PERCENTILES))]
        latencies = [own[phase][key] for key in _PERCENTILES.values()]
        axes.bar(at, [latency or 0 for latency in latencies], width, color=_COLOURS[name], label=name)
        for x, latency in zip(at, latencies, strict=True):
            if latency is None:
                style.endless(axes, x, width, _COLOURS[name])
    axes.set_xticks(range(len(_PERCENTILES)), list(_PERCENTILES))
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(axis="x", visible=False)
    axes.set_axisbelow(True)


def _leaders(axes: Axes, variants: Mapping[str, Any], phase: str) -> None:
    for place, own in enumerate(variants.values()):
        leaders = own[phase]["leaders"]
        total = sum(leaders.values()) or 1
        bottom = 0.0
        # The last octet says in which order the nodes come.
        for number, address in enumerate(sorted(leaders, key=last_octet)):
            part = 100 * leaders[address] / total
            axes.bar(place, part, 0.6, bottom=bottom, color=style.NODES[number % len(style.NODES)])
            bottom += part
    axes.set_xticks(range(len(variants)), list(variants))
    axes.set_ylim(0, 100)
    axes.grid(axis="x", visible=False)
    axes.set_axisbelow(True)
