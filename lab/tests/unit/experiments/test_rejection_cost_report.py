# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from rich.console import Console

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.rejection_cost import report
from isotherm_lab.experiments.rejection_cost import run as rejection_cost
from isotherm_lab.experiments.rejection_cost.run import FIXED, IDLE, READ, REJECTION, Measured, Plan
from isotherm_lab.load.paced_load import PacedWindow


def measured(read_us: float, rejection_us: float, idle_per_s: float, admitted: int = 2) -> Measured:
    """Return six windows of each kind, 2.5 s long with 2,000 operations, in which these were the costs."""
    idle = idle_per_s * 2.5
    windows = {
        READ: [PacedWindow(2000, 0, 2.5, idle + 2000 * read_us / 1e6, 0.1)] * 6,
        REJECTION: [PacedWindow(admitted, 2000, 2.5, idle + 2000 * rejection_us / 1e6, 0.1)] * 6,
        IDLE: [PacedWindow(0, 0, 2.5, idle, 0.0)] * 6,
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
    console = Console(width=80, record=True, file=None)
    with console.capture() as shown:
        console.print(report.table(rows, Plan()))
    assert "0.120-0.120" in shown.get() and max(map(len, shown.get().splitlines())) <= 80


def test_the_short_form_ends_within_three_minutes():
    assert rejection_cost.SHORT.expected_s() <= 180
    assert 2 * rejection_cost.FULL.blocks >= 12
