# SPDX-License-Identifier: Apache-2.0
"""Reads the counters that a node's probe wrote, and turns them into rates."""

import csv
from pathlib import Path

import numpy as np

#: The cumulative columns of the probe's files.
COLUMNS = (
    "reads",
    "row_cache_hits",
    "row_cache_misses",
    "disk_reads",
    "received",
    "local",
    "counters_led",
    "moved",
    "copies",
    "sent_total",
)
#: Columns that say how much there is now: they begin anew with a process.
GAUGES = ("read_stage_pending", "disk_waiting", "counter_queue")
#: Which counter says that a read missed, by the source of heat; `auto` is the disk.
MISS_COLUMN = {"cache": "row_cache_misses", "read_time": "disk_reads", "auto": "disk_reads"}

#: At how many moments a gauge is looked at for its mean.
_MOMENTS = 101


class NodeCounters:
    """Counters and gauges of one node over all its processes: a counter goes on where the one before it ended."""

    def __init__(self, epoch_s: np.ndarray, values: dict[str, np.ndarray]):
        self.epoch_s = epoch_s
        self.values = values

    @classmethod
    def of_node(cls, directory: Path) -> "NodeCounters":
        """Read the files counters-*.csv of a node's directory; torn last lines are skipped."""
        times: list[float] = []
        columns: dict[str, list[float]] = {name: [] for name in COLUMNS + GAUGES}
        carried = dict.fromkeys(COLUMNS + GAUGES, 0.0)
        for file in sorted(directory.glob("counters-*.csv")):
            rows = read_rows(file)
            if not rows:
                continue
            if times:
                # A new process counts from zero: it had read nothing at its first moment, so the sum stands still.
                times.append(rows[0]["epoch_ms"] / 1000 - 1e-3)
                for name in carried:
                    columns[name].append(carried[name])
            for row in rows:
                times.append(row["epoch_ms"] / 1000)
                for name in carried:
                    columns[name].append(carried[name] + row[name])
            carried |= {name: columns[name][-1] for name in COLUMNS}
        return cls(np.array(times), {name: np.array(values) for name, values in columns.items()})

    def at(self, column: str, epoch_s: float) -> float:
        """Return a column at a moment: interpolated between samples, level before the first and after the last."""
        if self.epoch_s.size == 0:
            return 0.0
        return float(np.interp(epoch_s, self.epoch_s, self.values[column]))

    def rate(self, column: str, from_s: float, to_s: float) -> float:
        """Return the counter's increase per second between two moments."""
        if not to_s > from_s:
            raise ValueError(f"a window must have a length: {from_s} to {to_s}")
        return self.increase(column, from_s, to_s) / (to_s - from_s)

    def increase(self, column: str, from_s: float, to_s: float) -> float:
        """Return the counter's increase between two moments."""
        return self.at(column, to_s) - self.at(column, from_s)

    def mean(self, gauge: str, from_s: float, to_s: float) -> float:
        """Return the mean of a gauge over a window."""
        if not to_s > from_s:
            raise ValueError(f"a window must have a length: {from_s} to {to_s}")
        return float(np.mean([self.at(gauge, moment) for moment in np.linspace(from_s, to_s, _MOMENTS)]))


def read_rows(file: Path) -> list[dict[str, float]]:
    """Return the complete lines of one probe file as numbers, by column."""
    needed = ("epoch_ms", *COLUMNS, *GAUGES)
    rows = []
    with open(file, newline="", encoding="ascii", errors="replace") as lines:
        for line in csv.DictReader(lines):
            # Only a whole line has all columns; the last one of a killed node may stop anywhere.
            if line.get("sent_by_peer") is None:
                continue
            try:
                rows.append({name: float(line[name]) for name in needed})
            except (TypeError, ValueError):
                continue
    return rows
