# SPDX-License-Identifier: Apache-2.0
"""The summary of the slow leader, from made-up turns."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from slow_leader_turns import turn
from terminal import shown

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.slow_leader import chart, promised, report
from isotherm_lab.experiments.slow_leader.plan import FULL, PLUGIN, SHORT, STOCK, Plan
from isotherm_lab.experiments.slow_leader.run import Outcome
from isotherm_lab.load.update_outcomes import exact
from isotherm_lab.load.windows import Window

PLAN = Plan()
MEASURED = {"p50_ms", "p99_ms", "p999_ms", "mean_ms", "per_s", "leaders"}


def outcome(**more) -> Outcome:
    slowed = {STOCK: 40.0, PLUGIN: 6.0}
    turns = [
        turn(name, phase, slowed[name] if phase == "one_slow" else 5.0) for name in slowed for phase in PLAN.phases
    ]
    windows = {name: [Window(int(per_s), 0, 1.0, 1.0, 0.1)] * 4 for name, per_s in ((STOCK, 1000), (PLUGIN, 990))}
    return Outcome(turns, {name: 3 * 1200 for name in slowed} | more, windows)


def test_the_summary_has_the_agreed_shape():
    summary = json.loads(json.dumps(report.conclude(PLAN, outcome())))
    assert summary["experiment"] == "slow-leader" and set(summary["variants"]) == {"cassandra", "isotherm"}
    for own in summary["variants"].values():
        assert {"well", "one_slow", "two_slow", "acknowledged", "timed_out", "counted"} <= set(own)
        for phase in PLAN.phases:
            assert set(own[phase]) == MEASURED
    assert len(summary["turns"]) == 6


def test_a_phase_counts_the_measured_stretch_of_all_its_turns():
    phase = report.measured([turn(STOCK, "well", 5.0), turn(STOCK, "well", 5.0, begin=500.0)])
    assert phase["p50_ms"] == 5 and phase["p99_ms"] == 50
    assert phase["mean_ms"] == pytest.approx(9.5)
    assert phase["per_s"] == pytest.approx(100, rel=0.01)
    assert phase["leaders"] == {"127.0.0.1": 800, "127.0.0.2": 700, "127.0.0.3": 500}


def test_updates_that_failed_have_no_latency_and_are_in_the_account():
    late = turn(STOCK, "well", 5.0, timed_out=300)
    assert report.measured([late])["per_s"] == pytest.approx(80, rel=0.02)
    assert report.account([late], counted=1100) == {
        "acknowledged": 900,
        "timed_out": 300,
        "failed": 0,
        "counted": 1100,
    }


@pytest.mark.parametrize(
    ("counted", "so"), [(899, False), (900, True), (1000, True), (1000 + 7, True), (1000 + 8, False)]
)
def test_an_account_is_exact_between_what_was_acknowledged_and_what_may_have_been_counted(counted, so):
    assert exact({"acknowledged": 900, "timed_out": 100, "failed": 7, "counted": counted}) is so


def test_each_account_is_told():
    said = "\n".join(report.accounts(report.conclude(PLAN, outcome(isotherm=3601))))
    assert "cassandra: 3600 acknowledged, 0 timed out, 0 failed, 3600 counted: exact" in said
    assert "3601 counted: NOT exact" in said


def test_the_promises_are_compared_with_what_was_measured():
    found = promised.promises(report.conclude(PLAN, outcome()))
    assert [each.measured for each in found] == pytest.approx([0.15, 1.2, 0.99])
    assert all(each.kept for each in found)


def test_latencies_that_failed_are_compared_with_nothing_and_drawn_without_an_end(tmp_path: Path):
    own = outcome()
    failing = [turn(each.variant, each.phase, 5.0, timed_out=1200) if each.phase == "one_slow" else each
               for each in own.turns]  # fmt: skip
    concluded = report.conclude(PLAN, replace(own, turns=failing))
    assert concluded["variants"][STOCK]["one_slow"]["p99_ms"] is None
    of_stock, of_well, _ = promised.promises(concluded)
    assert (of_stock.shown(), of_well.shown()) == ("never", "never") and of_stock.broken and of_well.broken
    of_stock, *_ = promised.promises(report.conclude(PLAN, replace(own, turns=[*failing[:3], *own.turns[3:]])))
    assert of_stock.kept, "stock Cassandra's alone failed"
    summary = tmp_path / "summary.json"
    summary.write_text(json.dumps(concluded))
    (picture,) = chart.draw(tmp_path)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [text.get_text() for text in chart.of_run(concluded).axes[1].texts] == ["failed"] * 8


def test_the_table_fits_a_terminal():
    lines = shown(report.table(report.conclude(PLAN, outcome())))
    assert sum("400 350 250" in line for line in lines) == 6


def test_the_chart_is_drawn_from_the_summary_alone(tmp_path: Path):
    summary = report.conclude(PLAN, outcome())
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    (picture,) = chart.draw(tmp_path)
    assert picture.read_bytes().startswith(b"\x89PNG")
    (tmp_path / "summary.json").write_text("{")
    with pytest.raises(LabError, match="cannot be read"):
        chart.draw(tmp_path)


def test_the_chart_holds_the_latencies_of_all_phases():
    figure = chart.of_run(report.conclude(PLAN, outcome()))
    # The first phase is not the slowest one.
    assert {axes.get_ylim()[0] for axes in figure.axes[:3]} == {1}
    assert all(axes.get_ylim()[1] > 400 for axes in figure.axes[:3])


def test_a_slow_node_is_overloaded_by_its_third_and_the_others_bear_all():
    data = PLAN.data
    well = data.parallel / data.service_us * 1e6
    assert well / PLAN.slowness < PLAN.rate / 3
    assert PLAN.rate < 0.2 * well
    assert SHORT.expected_s() < 300 and FULL.expected_s() < 600
