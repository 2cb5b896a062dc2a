# SPDX-License-Identifier: Apache-2.0
"""The raw series of a run, second by second, as files that other tools read."""

import csv
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogWriter

from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import COLUMNS, NodeCounters
from isotherm_lab.measure.phases import Stretch

_HIGHEST_US = 60_000_000
_DIGITS = 3


def seconds(stretch: Stretch) -> range:
    """Return the whole seconds of a stretch, counted from its zero."""
    return range(math.ceil(stretch.begin - stretch.zero), math.floor(stretch.end - stretch.zero))


def write_latency(path: Path, records: np.ndarray, stretch: Stretch) -> None:
    """Write second (counted from the zero), answers, errors and percentiles in milliseconds.

    There is nothing in the place of a percentile that failed.
    """
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["second", "answers", "errors", "p50_ms", "p90_ms", "p99_ms", "max_ms"])
        for second in seconds(stretch):
            block = samples.between(records, stretch.zero + second, stretch.zero + second + 1)
            errors = int(np.count_nonzero(block["outcome"] != samples.ANSWERED))
            row = [samples.percentile_ms(block, percent) for percent in (50, 90, 99, 100)]
            out.writerow([second, block.size - errors, errors, *("" if v is None else f"{v:.3f}" for v in row)])


def write_nodes(path: Path, nodes: Mapping[str, NodeCounters], stretch: Stretch) -> None:
    """Write, for each second and node, every counter's rate per second."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["second", "node", *(f"{column}_per_s" for column in COLUMNS)])
        for second in seconds(stretch):
            begin = stretch.zero + second
            for address, counters in nodes.items():
                rates = (counters.rate(column, begin, begin + 1) for column in COLUMNS)
                out.writerow([second, address, *(f"{rate:.2f}" for rate in rates)])


def write_hdr_log(path: Path, records: np.ndarray, stretch: Stretch) -> None:
    """Write an HdrHistogram log: one interval histogram of latencies (microseconds) per second.

    A request that failed counts as slower than any other, by the longest time that the histogram has.
    """
    with open(path, "w") as file:
        log = HistogramLogWriter(file)
        log.output_log_format_version()
        log.output_base_time(int(stretch.begin * 1000))
        log.output_legend()
        for second in seconds(stretch):
            begin = stretch.zero + second
            block = samples.between(records, begin, begin + 1)
            histogram = HdrHistogram(1, _HIGHEST_US, _DIGITS)
            answered = block["outcome"] == samples.ANSWERED
            for latency in block["latency_us"][answered].tolist():
                histogram.record_value(min(max(latency, 1), _HIGHEST_US))
            for _ in range(int((~answered).sum())):
                histogram.record_value(_HIGHEST_US)
            histogram.set_start_time_stamp(int(begin * 1000))
            histogram.set_end_time_stamp(int((begin + 1) * 1000))
            log.output_interval_histogram(histogram, max_value_unit_ratio=1000.0)
