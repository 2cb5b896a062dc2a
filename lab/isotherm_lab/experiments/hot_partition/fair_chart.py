# SPDX-License-Identifier: Apache-2.0
"""The chart of hot partitions under fair shares, and the file that it is drawn from."""

import csv
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from isotherm_lab.charts import style
from isotherm_lab.experiments.hot_partition.fair import ENOUGH, FairMoments
from isotherm_lab.measure import samples
from isotherm_lab.measure.completions import completions, rate

SECONDS, CHART = "fair.csv", "fair.png"
_COLUMNS = ["variant", "second", "background_of_usual"]
_TITLES = {
    "one": "One hot partition",
    "two": "Two hot partitions",
    "costly": "Few, costly reads",
    "writes": "Hot writes",
}


def of_usual(moments: FairMoments, background: np.ndarray) -> list[tuple[int, float]]:
    """Return the part of usual that the background did each second; second 0 begins with the first hot request."""
    answered = completions(background, samples.ANSWERED)
    usual = rate(answered, moments.background_from, moments.background_to)
    first = math.ceil(moments.background_from - moments.hot_starts)
    end = math.floor(moments.end - moments.hot_starts)
    moments_of = [(second, moments.hot_starts + second) for second in range(first, end)]
    return [(second, round(rate(answered, at, at + 1) / usual, 4) if usual else math.nan) for second, at in moments_of]


def write(path: Path, variants: Mapping[str, list[tuple[int, float]]]) -> None:
    """Write what the background did in each variant."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(_COLUMNS)
        out.writerows((name, *row) for name, rows in variants.items() for row in rows)


def of_file(path: Path, hot_s: Mapping[str, float]) -> Figure:
    """Draw the background in each variant, and for how many seconds from 0 on its partitions were hot."""
    with open(path, newline="", encoding="ascii") as lines:
        rows = list(csv.DictReader(lines))
    with rc_context(style.STYLE):
        figure = Figure(figsize=(10, 5), layout="constrained")
        panels = figure.subplots(2, 2, sharex=True, sharey=True).flat
        for axes, (name, title) in zip(panels, _TITLES.items(), strict=True):
            own = [(int(row["second"]), float(row["background_of_usual"])) for row in rows if row["variant"] == name]
            if not own:
                raise ValueError(f"{path.name} has nothing of {name}")
            axes.set_title(title)
            axes.axvspan(0, hot_s[name], color="#fbeee6", zorder=0, linewidth=0)
            axes.axhline(ENOUGH, color="#777777", linewidth=0.9, linestyle=(0, (4, 2)))
            axes.plot([second + 0.5 for second, _ in own], [part for _, part in own], color=style.BLUE)
        style.from_zero(figure.axes)
        for axes in figure.axes[2:]:
            axes.set_xlabel("time (s), 0: hot")
        figure.suptitle(
            f"The background under fair shares, part of usual; promised: {ENOUGH}", fontsize=12, fontweight="bold"
        )
        return figure
