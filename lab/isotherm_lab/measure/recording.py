# SPDX-License-Identifier: Apache-2.0
"""A run's raw series read back from its CSV files, ready to be drawn."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isotherm_lab.measure.node_counters import MISS_COLUMN

#: Below this many reads in a second a hit ratio says nothing (a node that is down or starting).
LEAST_READS_PER_S = 5.0

_LATENCY = ("answers", "errors", "p50_ms", "p99_ms")
_NODE = ("reads", "row_cache_hits", "row_cache_misses", "disk_reads", "received", "local", "sent_total")


@dataclass(frozen=True)
class Series:
    """Columns over consecutive seconds; second 0 begins when the restarted node answers. NaN: not known."""

    seconds: np.ndarray
    columns: Mapping[str, np.ndarray]

    def __getitem__(self, column: str) -> np.ndarray:
        return self.columns[column]


@dataclass(frozen=True)
class NodeSeries:
    """What one node did, each second: rates per second, and the hit ratio from 0 to 1."""

    seconds: np.ndarray
    reads: np.ndarray
    misses: np.ndarray
    hit_ratio: np.ndarray
    #: Reads the node served itself as their coordinator.
    local: np.ndarray
    #: Reads the node sent to others as their coordinator.
    remote: np.ndarray
    #: Reads the node served for other coordinators.
    replica: np.ndarray


@dataclass(frozen=True)
class Recording:
    """One run: latency and errors as clients saw them (`latency`), and what each node did, by address."""

    latency: Series
    nodes: Mapping[str, NodeSeries]


def read(folder: Path, heat_source: str = "cache") -> Recording:
    """Read latency.csv and nodes.csv of a run; OSError when one is missing. Rows that are not whole are gaps."""
    with open(folder / "latency.csv", newline="", encoding="ascii", errors="replace") as lines:
        latency = _series(list(csv.DictReader(lines)), {name: name for name in _LATENCY})
    by_node: dict[str, list[dict[str, str]]] = {}
    with open(folder / "nodes.csv", newline="", encoding="ascii", errors="replace") as lines:
        for row in csv.DictReader(lines):
            if row.get(f"{_NODE[-1]}_per_s"):  # only a whole row says for certain which node it is about
                by_node.setdefault(row["node"], []).append(row)
    rates = {name: f"{name}_per_s" for name in _NODE}
    nodes = {address: _node(_series(rows, rates), heat_source) for address, rows in sorted(by_node.items())}
    return Recording(latency, nodes)


def _node(series: Series, heat_source: str) -> NodeSeries:
    misses = series[MISS_COLUMN[heat_source]]
    looked_up = series["row_cache_hits"] + misses if heat_source == "cache" else series["reads"]
    enough = looked_up >= LEAST_READS_PER_S
    hit_ratio = np.full(misses.shape, np.nan)
    # A read may need more than one read of the disk; the ratio ends at 0 all the same.
    hit_ratio[enough] = np.maximum(0.0, 1 - misses[enough] / looked_up[enough])
    return NodeSeries(
        seconds=series.seconds, reads=series["reads"], misses=misses, hit_ratio=hit_ratio,
        local=series["local"], remote=series["sent_total"], replica=series["received"],
    )  # fmt: skip


def _series(rows: Iterable[Mapping[str, str | None]], names: Mapping[str, str]) -> Series:
    """Put rows on a gapless line of seconds; `names` says which column of the file becomes which of the series."""
    known = {}
    for row in rows:
        try:
            second = int(row["second"] or "")
        except (KeyError, ValueError):
            continue
        values = [_number(row.get(source)) for source in names.values()]
        if not np.isnan(values).all():
            known[second] = values
    if not known:
        return Series(np.empty(0, dtype=int), {name: np.empty(0) for name in names})
    seconds = np.arange(min(known), max(known) + 1)
    table = np.full((seconds.size, len(names)), np.nan)
    for second, values in known.items():
        table[second - seconds[0]] = values
    return Series(seconds, {name: table[:, place] for place, name in enumerate(names)})


def _number(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return float("nan")
