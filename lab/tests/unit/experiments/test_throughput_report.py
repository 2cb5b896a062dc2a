# SPDX-License-Identifier: Apache-2.0
import pytest
from rich.console import Console

from isotherm_lab.experiments.throughput import report as throughput_report
from isotherm_lab.experiments.throughput import run as throughput
from isotherm_lab.experiments.throughput.run import AFFINITY, LOCAL, OFF, PLAIN, Measured, Phase
from isotherm_lab.load.closed_loop import Window


def measured(per_s: float, cpu_us: float, drawn: float) -> Measured:
    windows = [Window(int(per_s * 2), 2.0, per_s * 2 * cpu_us / 1e6, 0.01) for _ in range(6)]
    return Measured(windows, drawn)


MEASURED = {PLAIN: measured(5000, 300, 0), OFF: measured(4980, 303, 0), LOCAL: measured(4950, 306, 0.99)}
PHASE = Phase("QUORUM", True, (PLAIN, OFF, LOCAL))


def test_a_row_has_the_agreed_numbers():
    row = throughput_report.row(PHASE, LOCAL, PLAIN, MEASURED)
    assert {key: row[key] for key in ("variant", "against", "consistency", "heat", "pairs")} == {
        "variant": "isotherm", "against": "cassandra-static", "consistency": "QUORUM", "heat": "differs", "pairs": 6,
    }  # fmt: skip
    assert (row["plain_per_s"], row["isotherm_per_s"]) == (5000, 4950)
    assert (row["ratio"], row["ratio_low"], row["ratio_high"]) == (0.99, 0.99, 0.99)
    assert row["cpu_us_per_read_plain"] == pytest.approx(300)
    assert row["cpu_us_per_read_isotherm"] == pytest.approx(306)
    assert row["cpu_ratio"] == pytest.approx(1.02)


def test_each_is_compared_with_plain_and_balancing_with_itself_off():
    assert throughput_report.comparisons(PHASE) == [(OFF, PLAIN), (LOCAL, PLAIN), (LOCAL, OFF)]
    assert throughput_report.comparisons(Phase("ONE", False, (PLAIN, AFFINITY))) == [(AFFINITY, PLAIN)]
    assert len(throughput_report.pairs(PHASE, LOCAL, PLAIN, MEASURED)) == 6


def test_the_table_fits_a_terminal():
    rows = [throughput_report.row(PHASE, name, rival, MEASURED) for name, rival in throughput_report.comparisons(PHASE)]
    console = Console(width=80, record=True, file=None)
    with console.capture() as shown:
        console.print(throughput_report.table(rows))
    assert "0.990-0.990" in shown.get() and max(map(len, shown.get().splitlines())) <= 80


def test_a_full_run_has_twenty_pairs_and_ends_within_about_six_minutes():
    assert 2 * throughput.FULL.blocks >= 20
    assert throughput.FULL.expected_s() < 390
    assert throughput.SHORT.expected_s() < 180
