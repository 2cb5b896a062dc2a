# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from terminal import shown

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.rejection_cost import report, threads
from isotherm_lab.experiments.rejection_cost.plan import FULL, SHORT, Plan
from isotherm_lab.experiments.rejection_cost.run import FIXED, IDLE, READ, REJECTION, Measured
from isotherm_lab.load.windows import Spent, Window
from isotherm_lab.measure.thread_use import CLIENTS, GROUPS, OTHERS, POOL, Use


def spent(operations: int, cpu_us: float, runs: int) -> Spent:
    """Return three seconds in which each operation cost that much, a quarter of it on the clients' connections.

    The nodes spend 30 ms a second in 100 runs beside it.
    """
    groups = dict.fromkeys(GROUPS, Use())
    groups[POOL] = Use(operations * cpu_us * 0.75e-6, operations * runs)
    groups[CLIENTS] = Use(operations * cpu_us * 0.25e-6, operations)
    groups[OTHERS] = Use(0.09, 300)
    return Spent(3.0, operations, groups)


def measured(read_us: float, rejection_us: float, idle_per_s: float, admitted: int = 2) -> Measured:
    """Return six windows of each kind, 2.5 s long with 2,000 operations, in which these were the costs."""
    idle = idle_per_s * 2.5
    windows = {
        READ: [Window(2000, 0, 2.5, idle + 2000 * read_us / 1e6, 0.1, spent(2400, read_us, 6))] * 6,
        REJECTION: [Window(admitted, 2000, 2.5, idle + 2000 * rejection_us / 1e6, 0.1, spent(2400, rejection_us, 2))]
        * 6,
        IDLE: [Window(0, 0, 2.5, idle, 0.0, spent(0, 0, 0))] * 6,
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


@pytest.mark.parametrize("answered", [0, 2000])
def test_where_nothing_was_rejected_a_sentence_says_so(answered: int):
    found = measured(500, 60, 0.05)
    found.windows[REJECTION][:] = [Window(answered, 0, 2.5, 0.2, 0.1, spent(2400, 60, 2))] * 6
    with pytest.raises(LabError, match=r"Only 0\.0% of the reads above the limit were rejected"):
        report.row(found)


def test_a_window_without_an_answer_is_named():
    found = measured(500, 60, 0.05)
    found.windows[READ][3:4] = [Window(0, 0, 2.5, 0.2, 0.1, spent(2400, 500, 6))]
    with pytest.raises(LabError, match="a window in which no read was answered"):
        report.row(found)


def test_noise_that_exceeds_the_cost_is_not_a_figure():
    with pytest.raises(LabError, match="idle"):
        report.row(measured(-1, 60, 0.05))


def test_each_group_of_threads_has_its_part_of_both():
    found = report.row(measured(500, 60, 0.05))["threads"]
    assert tuple(found) == GROUPS
    assert found[POOL] == {
        "idle_ms_per_s": 0, "idle_runs_per_s": 0, "read_us": 375, "read_runs": 6, "rejection_us": 45,
        "rejection_runs": 2,
    }  # fmt: skip
    assert (found[CLIENTS]["read_us"], found[CLIENTS]["rejection_us"]) == (125, 15)
    assert found[OTHERS] == {
        "idle_ms_per_s": 30, "idle_runs_per_s": 100, "read_us": 0, "read_runs": 0, "rejection_us": 0,
        "rejection_runs": 0,
    }  # fmt: skip


def test_the_tables_fit_a_terminal():
    rows = [report.row(measured(500, 60, 0.05))]
    assert any("0.120-0.120" in line for line in shown(report.table(rows, Plan())))
    assert any(line.split()[-4:] == ["375", "6.0", "45", "2.0"] for line in shown(threads.table(rows)))


def test_the_short_form_ends_within_three_minutes():
    assert SHORT.expected_s() <= 180
    assert 2 * FULL.blocks >= 12
