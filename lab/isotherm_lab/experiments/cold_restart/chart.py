# SPDX-License-Identifier: Apache-2.0
"""The charts of a cold restart, drawn from the files that its runs wrote."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from isotherm_lab.charts import panels, style
from isotherm_lab.cluster.variants import VARIANTS
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.cold_restart.plan import NAME, RESTARTED
from isotherm_lab.measure import recording, summary
from isotherm_lab.measure.recording import Recording

COMPARISON, OF_ONE_RUN = "comparison.png", "charts.png"
SIZES = {"fits": "the data fits the cache", "exceeds": "the cache holds two thirds of the data"}
#: What a miss is, by the source of heat.
MISSED = {"cache": "cache misses", "read_time": "disk reads", "auto": "disk reads"}
_TIME = "time (s), 0: up again"

#: Field of NodeSeries, title. Local and remote are counted where a client's read arrives, replica where it is served.
_OF_NODES = (
    ("misses", "{missed}/s"),
    ("hit_ratio", "Cache hit ratio"),
    ("local", "Coordinator local reads/s"),
    ("remote", "Coordinator remote reads/s"),
    ("replica", "Replica reads/s, for other coordinators"),
)


def draw(folder: Path, restarted: str = RESTARTED) -> list[Path]:
    """Draw everything that the summary in the folder lists; return the files, each size's comparison first.

    LabError when there is no summary, it lists no run, or the series of a run it lists are missing.
    """
    listed = summary.read(folder, NAME)
    files = []
    for size, title in SIZES.items():
        runs = listed.get(size) or {}
        if not runs:
            continue
        source = listed.get("settings", {}).get(size, {}).get("heat_source", "cache")
        recordings = {name: _recording(folder / size / name, source) for name in sorted(runs, key=_place)}
        downs = {name: down_s(runs[name]) for name in recordings}
        missed = MISSED[source]
        files.append(style.save(comparison(recordings, downs, restarted, title, missed), folder / size / COMPARISON))
        for name, run in recordings.items():
            figure = of_one_run(run, downs[name], restarted, f"{_title(name)}, one node restarted ({title})", missed)
            files.append(style.save(figure, folder / size / name / OF_ONE_RUN))
    if not files:
        raise LabError(f"{folder} lists no finished run: `isotherm-lab run {NAME}` makes some.")
    return files


def down_s(run: Mapping[str, Any]) -> float | None:
    """Return when the node was stopped, in (negative) seconds from when it answered again; None when not listed."""
    return next((phase["from_s"] - phase["to_s"] for phase in run["phases"] if phase["name"] == "down"), None)


def comparison(
    recordings: Mapping[str, Recording],
    downs: Mapping[str, float | None],
    restarted: str,
    title: str,
    missed: str = MISSED["cache"],
) -> Figure:
    """Draw a column per variant and rows for misses, reads and latency; a row has one scale."""
    with rc_context(style.STYLE):
        figure = Figure(figsize=(10, 6.6), layout="constrained")
        grid = figure.subplots(3, len(recordings), sharex=True, sharey="row", squeeze=False)
        for column, (name, run) in enumerate(recordings.items()):
            misses, reads, latency = grid[:, column]
            misses.set_title(_title(name), fontweight="bold")
            panels.per_node(misses, run, "misses", restarted)
            panels.per_node(reads, run, "reads", restarted)
            panels.latency(latency, run)
            for axes in grid[:, column]:
                panels.mark_restart(axes, downs[name], labelled=axes is misses)
        for axes, label in zip(
            grid[:, 0], (f"{missed}/s\nof each node", "reads/s\nof each node", "latency (ms)"), strict=True
        ):
            axes.set_ylabel(label)
        style.from_zero(grid[:2].flat)
        for axes in grid[-1]:
            axes.set_xlabel(_TIME)
        return _crowned(figure, recordings, restarted, f"A node restarts with an empty cache ({title})")


def of_one_run(run: Recording, down: float | None, restarted: str, title: str, missed: str = MISSED["cache"]) -> Figure:
    """Draw everything a run recorded: what each node did, and the latency clients saw."""
    with rc_context(style.STYLE):
        figure = Figure(figsize=(10, 7.4), layout="constrained")
        grid = figure.subplots(3, 2, sharex=True)
        for axes, (measure, heading) in zip(grid.flat, _OF_NODES, strict=False):
            axes.set_title(heading.format(missed=missed.capitalize()))
            panels.per_node(axes, run, measure, restarted)
        # One scale for both: a coordinator that keeps as much as it sends away then looks the same in the two.
        grid.flat[2].sharey(grid.flat[3])
        style.from_zero(grid.flat[:5])
        grid.flat[1].set_ylim(0, 1.05)
        grid.flat[5].set_title("Latency of reads (ms)")
        panels.latency(grid.flat[5], run)
        for axes in grid.flat:
            panels.mark_restart(axes, down, labelled=True)
        for axes in grid[-1]:
            axes.set_xlabel(_TIME)
        return _crowned(figure, {"": run}, restarted, title)


def _crowned(figure: Figure, recordings: Mapping[str, Recording], restarted: str, title: str) -> Figure:
    figure.suptitle(title, fontsize=12, fontweight="bold")
    addresses = {address for run in recordings.values() for address in run.nodes}
    keys = [*panels.node_keys(addresses, restarted), *panels.latency_keys()]
    figure.legend(handles=keys, loc="outside lower center", ncols=len(keys), frameon=False)
    return figure


def _title(name: str) -> str:
    return VARIANTS[name].title if name in VARIANTS else name


def _place(name: str) -> tuple[int, str]:
    """Order variants as they are listed everywhere, whatever order they ran in."""
    known = list(VARIANTS)
    return (known.index(name) if name in known else len(known)), name


def _recording(folder: Path, heat_source: str) -> Recording:
    try:
        return recording.read(folder, heat_source)
    except OSError as error:
        raise LabError(f"The series of a run cannot be read: {error}. Run the experiment again.") from error
