# SPDX-License-Identifier: Apache-2.0
"""The single panels that charts are made of: one measure over time, with the restart marked."""

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from isotherm_lab.charts import style
from isotherm_lab.charts.style import BLUE, GREEN, ORANGE, PURPLE, SKY_BLUE, YELLOW
from isotherm_lab.measure.recording import NodeSeries, Recording

#: A node keeps its colour in every chart.
_OTHERS = (BLUE, GREEN, SKY_BLUE, YELLOW)
_RESTARTED = ORANGE
_P50, _P99 = "#111111", PURPLE


def colours(addresses: Iterable[str], restarted: str) -> dict[str, str]:
    """Return each node's colour, by address."""
    others = [address for address in sorted(addresses) if address != restarted]
    found = {address: _OTHERS[place % len(_OTHERS)] for place, address in enumerate(others)}
    return {**found, restarted: _RESTARTED}


def per_node(axes: Axes, recording: Recording, measure: str, restarted: str) -> None:
    """Draw one measure (a field of NodeSeries), one line per node; the restarted one lies on top."""
    chosen = colours(recording.nodes, restarted)
    for address, node in recording.nodes.items():
        own = address == restarted
        axes.plot(
            *node_line(node, measure), color=chosen[address], linewidth=1.8 if own else 1.2, zorder=4 if own else 3
        )


def node_line(node: NodeSeries, measure: str) -> tuple:
    """Return x and y of a node's line: the value of a second is drawn at its middle."""
    return node.seconds + 0.5, getattr(node, measure)


def latency(axes: Axes, recording: Recording) -> None:
    """Draw the median and the 99th percentile in milliseconds, on a logarithmic axis; a cross on top: p99 failed."""
    series = recording.latency
    axes.plot(series.seconds + 0.5, series["p99_ms"], color=_P99)
    axes.plot(series.seconds + 0.5, series["p50_ms"], color=_P50, linewidth=1.8)
    # A percentile that failed has no latency: its line has a gap, which without a mark could be taken for silence.
    failed = np.isnan(series["p99_ms"]) & (series["errors"] > 0)
    edge = axes.get_xaxis_transform()
    axes.plot(series.seconds[failed] + 0.5, np.full(failed.sum(), 0.98), "x", color=_P99, markersize=4, transform=edge)
    axes.set_yscale("log")
    axes.margins(y=0.12)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_locator(NullLocator())


def mark_restart(axes: Axes, down_s: float | None, labelled: bool) -> None:
    """Mark when the node went down (seconds before 0; None when not known) and when it answered again, at 0."""
    if down_s is not None:
        axes.axvspan(down_s, 0, color="#f2f2f2", zorder=0, linewidth=0)
    for moment, name in ((down_s, "down"), (0, "up")):
        if moment is None:
            continue
        style.mark(axes, moment)
        if labelled:
            style.label(axes, moment, name)


def node_keys(addresses: Iterable[str], restarted: str) -> list[Line2D]:
    """Return the legend's entries for the nodes."""
    chosen = colours(addresses, restarted)
    return [
        Line2D([], [], color=chosen[address], linewidth=2, label=address + " (restarted)" * (address == restarted))
        for address in sorted(chosen)
    ]


def latency_keys() -> list[Line2D]:
    """Return the legend's entries for the percentiles."""
    lines = [
        Line2D([], [], color=colour, linewidth=2, label=f"{name} latency")
        for name, colour in (("p50", _P50), ("p99", _P99))
    ]
    return [*lines, Line2D([], [], color=_P99, marker="x", markersize=4, linestyle="", label="p99 failed")]
