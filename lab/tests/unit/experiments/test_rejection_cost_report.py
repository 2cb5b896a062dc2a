# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from terminal import shown

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.rejection_cost import report
from isotherm_lab.experiments.rejection_cost.plan import FULL, SHORT, Plan
from isotherm_lab.experiments.rejection_cost.run import FIXED, IDLE, READ, REJECTION, Measured
from isotherm_lab.load.windows import Window


def measured(read_us: float, rejection_us: float, idle_per_s: float, admitted: int = 2) -> Measured:
    """Return six windows of each kind, 2.5 s long with 2,000 operations, in which these were the costs."""
    idle = idle_per_s * 2.5
    windows = {
        READ: [Window(2000, 0, 2.5, idle + 2000 * read_us / 1e6, 0.1)] * 6,
        REJECTION: [Window(admitted, 2000, 2.5, idle + 2000 * rejection_us / 1e6, 0.1)] * 6,
        IDLE: [Window(0, 0, 2.5, idle, 0.0)] * 6,
    }
    return Measured(10, FIXED, windows)


def test_what_the_nodes_spend_idle_is_no_cost_of_a_read():
    row = json.loads(json.dumps(report.row(measured(read_us=500, rejection_us=60, idle_per_s=0.05))))
    assert row["partition_rows"] == 10 and row["offered"] == "fixed" and row["pairs"] == 6
    assert row["read_cpu_us"] == pytest.approx(500) and row["rejection_cpu_us"] == pytest.approx(60)
    assert row["ratio"] == row["ratio_low"] == row["ratio_high"] == pytest.approx(0.12)
    assert row["reads_per_s"] == 800 and row["idle_cpu_per_s"] == pytest.approx(0.05)
    assert row["rejected"] == pytest.approx(2000 / 2002, abs=1e-5)


def test_a_limit_that_lets_reads_through_measures_nothing():
    with pytest.raises(LabError, match="were rejected"):
        report.row(measured(500, 60, 0.05, admitted=100))


def test_noise_that_exceeds_the_cost_is_not_a_figure():
    with pytest.raises(LabError, match="idle"):
        report.row(measured(-1, 60, 0.05))


def test_the_table_fits_a_terminal():
    rows = [report.row(measured(500, 60, 0.05))]
    assert any("0.120-0.120" in line for line in shown(report.table(rows, Plan())))


def test_the_short_form_ends_within_three_minutes():
    assert SHORT.expected_s() <= 180
    assert 2 * FULL.blocks >= 12
