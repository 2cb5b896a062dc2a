# SPDX-License-Identifier: Apache-2.0
"""The charts of the faults, drawn from the files that their runs wrote: one picture per fault and table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from isotherm_lab.charts import panels, style
from isotherm_lab.cluster.variants import VARIANTS
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.gray.faults import FAULTS
from isotherm_lab.experiments.gray.plan import NAME, title
from isotherm_lab.measure import recording, summary
from isotherm_lab.measure.last_octet import last_octet
from isotherm_lab.measure.recording import Recording

CHART = "chart.png"


def draw(folder: Path) -> list[Path]:
    """Draw every fault that the summary in the folder lists; return the files.

    LabError when there is no summary, it lists no fault, or a file of a run that it lists is missing.
    """
    listed = summary.read(folder, NAME)
    with summary.reading(folder, NAME):
        faults = listed["faults"]
        files = []
        for name, runs in faults.items():
            recordings = {variant: recording.read(folder / name / variant) for variant in sorted(runs, key=_place)}
            files.append(style.save(of_fault(name, recordings, runs), folder / name / CHART))
    if not files:
        raise LabError(f"{folder} lists no fault: `isotherm-lab run {NAME}` makes some.")
    return files


def of_fault(name: str, recordings: Mapping[str, Recording], runs: Mapping[str, Any]) -> Figure:
    """Draw a column per variant, and rows for latency and for the reads of each node; a row has one scale."""
    with rc_context(style.STYLE):
        figure = Figure(figsize=(10, 5), layout="constrained")
        grid = figure.subplots(2, len(recordings), sharex=True, sharey="row", squeeze=False)
        addresses = sorted({address for run in recordings.values() for address in run.nodes}, key=last_octet)
        faulty = [addresses[place] for place in FAULTS[name.partition("@")[0]].places if place < len(addresses)]
        colours = dict(zip(addresses, style.NODES, strict=False))
        for column, (variant, run) in enumerate(recordings.items()):
            latency, reads = grid[:, column]
            latency.set_title(VARIANTS[variant].title, fontweight="bold")
            panels.latency(latency, run)
            for address, node in run.nodes.items():
                reads.plot(*panels.node_line(node, "reads"), color=colours[address])
            for axes in (latency, reads):
                _mark(axes, lasted_s(runs[variant]))
            reads.set_xlabel("time (s), 0: the fault begins")
        grid[0][0].set_ylabel("latency (ms)")
        grid[1][0].set_ylabel("reads/s\nof each node")
        style.from_zero(grid[1])
        figure.suptitle(title(name), fontsize=12, fontweight="bold")
        keys = [Line2D([], [], color=colours[each], linewidth=2, label=each + " (faulty)" * (each in faulty))
                for each in colours] + panels.latency_keys()  # fmt: skip
        figure.legend(handles=keys, loc="outside lower center", ncols=len(keys), frameon=False)
        return figure


def lasted_s(run: Mapping[str, Any]) -> float:
    """Return how long the fault was watched, in seconds."""
    return max((phase["to_s"] for phase in run["phases"] if phase["name"] == "fault"), default=0.0)


def _mark(axes: Axes, lasted: float) -> None:
    axes.axvspan(0, lasted, color="#f2f2f2", zorder=0, linewidth=0)
    style.mark(axes, 0)
    style.mark(axes, lasted)


def _place(variant: str) -> int:
    return list(VARIANTS).index(variant)
