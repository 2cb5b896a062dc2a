# SPDX-License-Identifier: Apache-2.0
import pytest
from terminal import shown

from isotherm_lab.experiments.throughput import report
from isotherm_lab.experiments.throughput.plan import (
    AFFINITY,
    AGAIN,
    FAIR,
    FAIR_SHARES,
    FULL,
    LOCAL,
    NOTHING,
    OFF,
    PLAIN,
    SHORT,
    SWITCHED_OFF,
    UNPLUGGED,
    UNPLUGGED_AGAIN,
    Phase,
)
from isotherm_lab.experiments.throughput.run import Measured
from isotherm_lab.load.windows import Window


def measured(per_s: float, cpu_us: float, drawn: float) -> Measured:
    windows = [Window(int(per_s * 2), 0, 2.0, per_s * 2 * cpu_us / 1e6, 0.01) for _ in range(6)]
    return Measured(windows, drawn)


MEASURED = {PLAIN: measured(5000, 300, 0), OFF: measured(4980, 303, 0), LOCAL: measured(4950, 306, 0.99)}
PHASE = Phase("QUORUM", True, (PLAIN, OFF, LOCAL))


def test_a_row_has_the_agreed_numbers():
    row = report.row(PHASE, LOCAL, PLAIN, MEASURED)
    assert {key: row[key] for key in ("variant", "against", "consistency", "heat", "pairs")} == {
        "variant": "isotherm", "against": "cassandra-static", "consistency": "QUORUM", "heat": "differs", "pairs": 6,
    }  # fmt: skip
    assert (row["against_per_s"], row["variant_per_s"]) == (5000, 4950)
    assert (row["ratio"], row["ratio_low"], row["ratio_high"]) == (0.99, 0.99, 0.99)
    assert row["cpu_us_per_read_against"] == pytest.approx(300)
    assert row["cpu_us_per_read_variant"] == pytest.approx(306)
    assert row["cpu_ratio"] == pytest.approx(1.02)


def test_each_is_compared_with_plain_and_balancing_with_itself_off():
    assert report.comparisons(PHASE) == [(OFF, PLAIN), (LOCAL, PLAIN), (LOCAL, OFF)]
    assert report.comparisons(Phase("ONE", False, (PLAIN, UNPLUGGED, AFFINITY))) == [
        (AFFINITY, UNPLUGGED), (UNPLUGGED, PLAIN), (AFFINITY, PLAIN),
    ]  # fmt: skip
    assert report.comparisons(FAIR_SHARES.phases[0]) == [(AGAIN, LOCAL), (FAIR, LOCAL)]
    assert report.comparisons(SWITCHED_OFF.phases[0]) == [
        (UNPLUGGED_AGAIN, UNPLUGGED),
        (NOTHING, UNPLUGGED),
    ]
    assert len(report.pairs(PHASE, LOCAL, PLAIN, MEASURED)) == 6


def test_a_promise_is_broken_where_its_whole_interval_lies_below():
    def found(name: str, rival: str, low: float, high: float) -> list[str]:
        row = {"variant": name, "against": rival, "consistency": "QUORUM"}
        return report.broken([row | {"ratio": (low + high) / 2, "ratio_low": low, "ratio_high": high}])

    assert found(NOTHING, UNPLUGGED, 0.97, 0.99) == found(AFFINITY, PLAIN, 0.8, 0.9) == []
    # Another cluster differs by what its compilers made of the same code.
    assert found(LOCAL, PLAIN, 0.8, 0.95) == [] and len(found(LOCAL, PLAIN, 0.8, 0.87)) == 1
    (sentence,) = found(NOTHING, UNPLUGGED, 0.97, 0.985)
    assert "isotherm-all-off at QUORUM has 0.978 x" in sentence
    assert len(found(LOCAL, UNPLUGGED, 0.97, 0.975)) == len(found(FAIR, LOCAL, 0.97, 0.979)) == 1


@pytest.mark.parametrize(
    ("heat_differs", "drawn", "said"),
    [(True, 0.9, []), (True, 0.89, ["89% with isotherm at QUORUM beside cassandra-static"]), (False, 0, [])],
)
def test_reads_that_were_not_drawn_show_nothing_of_what_drawing_costs(
    heat_differs: bool, drawn: float, said: list[str]
):
    phase = Phase("QUORUM", heat_differs, (PLAIN, LOCAL))
    found = report.row(phase, LOCAL, PLAIN, MEASURED | {LOCAL: measured(5000, 300, drawn)})
    assert report.undrawn([found, report.row(phase, PLAIN, LOCAL, MEASURED)]) == said


def test_the_table_fits_a_terminal():
    rows = [report.row(PHASE, name, rival, MEASURED) for name, rival in report.comparisons(PHASE)]
    assert any("0.990-0.990" in line for line in shown(report.table(rows)))


def test_a_run_has_as_many_pairs_and_takes_about_as_long_as_is_said():
    assert 2 * FULL.blocks >= 20 and 2 * SHORT.blocks >= 20
    assert FULL.expected_s() < 13 * 60
    assert SHORT.expected_s() < 9 * 60
    assert not SWITCHED_OFF.competes(PLAIN) and 2 * SWITCHED_OFF.blocks >= 300 and SWITCHED_OFF.expected_s() < 1000
    assert not FAIR_SHARES.competes(PLAIN) and 2 * FAIR_SHARES.blocks >= 80 and FAIR_SHARES.expected_s() < 300
