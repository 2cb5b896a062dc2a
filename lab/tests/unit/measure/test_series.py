# SPDX-License-Identifier: Apache-2.0
import csv
from pathlib import Path

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
from matplotlib.figure import Figure

from isotherm_lab.charts import panels
from isotherm_lab.measure import recording, samples, series
from isotherm_lab.measure.phases import Stretch


def test_a_percentile_that_failed_is_a_gap_that_the_chart_marks(tmp_path: Path):
    records = np.zeros(300, dtype=samples.RECORD)
    records["intended_us"] = np.arange(300) * 10_000 + 5_000
    records["latency_us"] = 7_000
    records["outcome"][100:110] = 1
    series.write_latency(tmp_path / "latency.csv", records, Stretch(0, 0, 3))
    rows = list(csv.DictReader((tmp_path / "latency.csv").read_text().splitlines()))
    assert [row["p50_ms"] for row in rows] == ["7.000"] * 3
    assert [row["p99_ms"] for row in rows] == ["7.000", "", "7.000"]
    assert [row["errors"] for row in rows] == ["0", "10", "0"]

    (tmp_path / "nodes.csv").write_text("second,node\n")
    axes = Figure().subplots()
    panels.latency(axes, recording.read(tmp_path))
    (crosses,) = (line for line in axes.lines if line.get_marker() == "x")
    assert crosses.get_xdata().tolist() == [1.5]
    assert [key.get_label() for key in panels.latency_keys()][-1] == "p99 failed"


def test_what_failed_is_slower_than_anything_in_the_log_of_histograms(tmp_path: Path):
    records = np.zeros(4, dtype=samples.RECORD)
    records["intended_us"] = np.arange(4) * 1_000
    records["latency_us"] = 7_000
    records["outcome"][3] = 1
    series.write_hdr_log(tmp_path / "latency.hlog", records, Stretch(0, 0, 1))
    read = HistogramLogReader(str(tmp_path / "latency.hlog"), HdrHistogram(1, 60_000_000, 3))
    histogram = read.get_next_interval_histogram()
    assert histogram.get_total_count() == 4
    assert histogram.get_value_at_percentile(50) == pytest.approx(7_000, rel=0.01)
    assert histogram.get_value_at_percentile(100) == pytest.approx(60_000_000, rel=0.01)
