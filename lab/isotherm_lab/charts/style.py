# SPDX-License-Identifier: Apache-2.0
"""How all charts look, and how they are saved."""

from collections.abc import Iterable
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

#: Of Okabe and Ito's palette, whose colours any vision tells apart.
BLUE, GREEN, ORANGE, VERMILION = "#0072B2", "#009E73", "#E69F00", "#D55E00"
SKY_BLUE, YELLOW, PURPLE = "#56B4E9", "#F0E442", "#CC79A7"
#: The nodes of a cluster in which none is special, in their order.
NODES = (BLUE, GREEN, ORANGE)
_INK, _FAINT = "#333333", "#dddddd"
_DPI = 160

STYLE = {
    "font.size": 9, "axes.titlesize": 9.5, "axes.labelsize": 9, "legend.fontsize": 9,
    "figure.facecolor": "white", "axes.facecolor": "white", "savefig.facecolor": "white",
    "text.color": _INK, "axes.labelcolor": _INK, "xtick.color": _INK, "ytick.color": _INK, "axes.edgecolor": "#999999",
    "axes.grid": True, "grid.color": _FAINT, "grid.linewidth": 0.6,
    "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.2,
}  # fmt: skip


def from_zero(axes: Iterable[Axes]) -> None:
    """Let axes begin at 0, with some air above; to be called when all lines are drawn, as it fixes the scale."""
    axes = list(axes)
    for each in axes:
        each.margins(y=0.12)
    for each in axes:
        each.set_ylim(bottom=0)


def mark(axes: Axes, moment: float) -> None:
    """Draw a line through the moment at which something happened."""
    axes.axvline(moment, color="#777777", linewidth=0.9, linestyle=(0, (4, 2)), zorder=2)


def label(axes: Axes, moment: float, text: str, offset: tuple[float, float] = (2, -1), size: float = 8) -> None:
    """Say at the upper edge what begins at a moment; the offset from there is in points."""
    axes.annotate(
        text, (moment, 1), xycoords=("data", "axes fraction"), xytext=offset, textcoords="offset points",
        va="top", fontsize=size, color="#555555", zorder=5,
    )  # fmt: skip


def endless(axes: Axes, x: float, width: float, colour: str) -> None:
    """Draw the bar of a latency that has no end, the one of a request that failed: hatched, to the upper edge."""
    axes.axvspan(x - width / 2, x + width / 2, facecolor="none", edgecolor=colour, hatch="////", linewidth=0)
    axes.annotate(
        "failed", (x, 0.5), xycoords=("data", "axes fraction"), ha="center", va="center", rotation=90, fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1}, zorder=5,
    )  # fmt: skip


def save(figure: Figure, file: Path) -> Path:
    """Write the picture; return its file."""
    figure.savefig(file, dpi=_DPI)
    return file
