# SPDX-License-Identifier: Apache-2.0
"""The bar chart of a summary: nanoseconds to the first and to the last host, on a logarithmic axis."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot

_SIDES = {
    "isotherm": "#1b9e77",
    "scylla-driver": "#7570b3",
    "cassandra-driver": "#d95f02",
    "ceiling": "#999999",
}


def draw(summary: dict, path: Path) -> None:
    """Draw both columns, a bar for each side, the fastest leftmost."""
    figure, axes = pyplot.subplots(1, 2, figsize=(14, 6), sharey=True)
    names = [f"{row['policy']}\n{row['hosts']} hosts" for row in summary["rows"]]
    for axis, (column, title) in zip(axes, [("first_host_ns", "First host"), ("drain_ns", "Whole plan")], strict=True):
        sides = [side for side in _SIDES if side in summary["rows"][0][column]]
        height = 0.8 / len(sides)
        for place, side in enumerate(sides):
            positions = [number + place * height for number in range(len(names))]
            times = [row[column][side] or 0 for row in summary["rows"]]
            bars = axis.barh(positions, times, height, color=_SIDES[side], label=side)
            axis.bar_label(bars, [f"{time:,.0f}" if time else "" for time in times], padding=2, fontsize=7)
        axis.set_xscale("log")
        longest = max(time for row in summary["rows"] for time in row[column].values() if time)
        axis.set_xlim(10, longest * 3)
        axis.set_xlabel("nanoseconds per plan, median (logarithmic)")
        axis.set_title(title)
        axis.grid(axis="x", alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_yticks([number + 0.4 - 0.1 for number in range(len(names))], names)
    axes[0].invert_yaxis()
    axes[0].legend(loc="upper right", frameon=False)
    figure.suptitle("Choosing hosts: 45 nodes x 256 vnodes, RF 3 in each of 5 datacenters")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
