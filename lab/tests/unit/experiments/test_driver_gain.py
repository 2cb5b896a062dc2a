# SPDX-License-Identifier: Apache-2.0
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from terminal import shown

from isotherm_lab.charts import style
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.driver_gain import chart, report
from isotherm_lab.experiments.driver_gain.plan import CONDITIONS, NAME, Plan, planned
from isotherm_lab.experiments.driver_gain.rows import rows
from isotherm_lab.experiments.driver_gain.run import Part, Turn
from isotherm_lab.load.driver_policies import AFFINITY, POLICIES, STOCK
from isotherm_lab.measure import samples, summary
from isotherm_lab.measure.paired import counterbalanced

BEGAN, ENDED = 1000.0, 1006.0


def turn(policy: str, per_s: float, latency_s: float = 0.05, held_up: int = 0) -> Turn:
    """Return a turn with steady requests from a second before to a second after, and some that wait all the time."""
    sent = np.arange(BEGAN - 1, ENDED + 1, 1 / per_s)
    records = np.zeros(sent.size + held_up, dtype=samples.RECORD)
    records["intended_us"][: sent.size], records["latency_us"][: sent.size] = sent * 1e6, latency_s * 1e6
    records["intended_us"][sent.size :], records["latency_us"][sent.size :] = (BEGAN - 0.01) * 1e6, 6.5e6
    records = records[np.argsort(records["intended_us"], kind="stable")]
    return Turn(policy, BEGAN, ENDED, records, node_processor_s=6.0, messages=per_s * 3)


def part(fault: str = "stopped", level: str = "LOCAL_ONE") -> Part:
    speeds = dict(zip(POLICIES, (100, 110, 200, 400), strict=True))
    turns = [turn(name, speeds[name], held_up=50 if name == STOCK else 0) for name in counterbalanced(POLICIES)]
    return Part(level, CONDITIONS[fault], turns)


def test_a_row_has_the_agreed_shape_and_compares_turn_by_turn_with_the_drivers_own():
    found = {row["policy"]: row for row in json.loads(json.dumps(rows(part())))}
    assert list(found) == list(POLICIES)
    assert {"policy", "fault", "requests_per_s", "p50_ms", "p99_ms", "errors"} <= set(found[STOCK])
    assert found[AFFINITY]["requests_per_s"] == pytest.approx(400, rel=0.01)
    assert found[AFFINITY]["of_stock"] == pytest.approx(4, rel=0.02) and len(found[AFFINITY]["pairs"]) == 2
    assert found[AFFINITY]["messages_per_request"] == pytest.approx(0.5, rel=0.02)
    assert found[AFFINITY]["node_cpu_us_per_request"] == pytest.approx(2500, rel=0.02)


def test_what_a_fault_held_up_is_among_the_slowest_and_not_among_the_answers_that_came():
    found = {row["policy"]: row for row in rows(part())}
    assert found[STOCK]["p99_ms"] == pytest.approx(6500) and found[STOCK]["p50_ms"] == pytest.approx(50)
    assert found[STOCK]["requests_per_s"] == pytest.approx(100, rel=0.01)


def test_a_policy_that_fails_more_is_not_the_faster_for_it(tmp_path: Path):
    failing = turn(AFFINITY, 100, latency_s=0.001)
    failing.records["outcome"][::20] = 1
    found = rows(
        Part("QUORUM", CONDITIONS["late"], [failing if name == AFFINITY else turn(name, 100) for name in POLICIES])
    )
    by_policy = {row["policy"]: row for row in found}
    assert (by_policy[AFFINITY]["p50_ms"], by_policy[AFFINITY]["p99_ms"]) == (1, None)
    assert by_policy[STOCK]["p99_ms"] == 50
    figure = chart.of_level("QUORUM", found)
    assert [text.get_text() for text in figure.axes[1].texts].count("failed") == 1
    style.save(figure, tmp_path / "QUORUM.png")


def test_a_policy_that_got_no_answer_compares_with_nobody():
    silent = turn(STOCK, 1, latency_s=20)
    found = rows(
        Part("QUORUM", CONDITIONS["stopped"], [silent if name == STOCK else turn(name, 9) for name in POLICIES])
    )
    assert [row["of_stock"] for row in found] == [None] * 4
    assert found[0]["requests_per_s"] == 0 and found[0]["messages_per_request"] is None


def test_the_table_fits_a_terminal_and_says_level_and_fault_once():
    lines = shown(report.table(rows(part("late")) + rows(part("none", "QUORUM"))))
    assert sum("LOCAL_ONE" in line for line in lines) == sum("late" in line for line in lines) == 1


def test_options_choose_levels_and_faults():
    assert planned(None, None, None) == Plan()
    chosen = planned(["QUORUM"], ["late", "none"], 12, 7)
    assert (chosen.levels, chosen.conditions, chosen.in_flight) == (("QUORUM",), ("late", "none"), 12)
    assert chosen.turns() == 8 * 1 + 8 * 2


def test_a_chart_for_each_level_is_drawn_from_the_summary(tmp_path: Path):
    found = rows(part()) + rows(part("none")) + rows(part("none", "QUORUM"))
    summary.write(tmp_path, {"experiment": NAME, "rows": found})
    files = chart.draw(tmp_path)
    assert [file.name for file in files] == ["LOCAL_ONE.png", "QUORUM.png"]
    assert all(file.stat().st_size > 10_000 for file in files)
    figure = chart.of_level("LOCAL_ONE", found[:8])
    assert [axes.get_title() for axes in figure.axes[:2]] == ["a stopped process", "all is well"]
    assert [round(bar.get_height()) for bar in figure.axes[0].patches] == [100, 110, 200, 400]


def test_a_summary_that_lists_nothing_says_what_makes_one(tmp_path: Path):
    summary.write(tmp_path, {"experiment": NAME, "rows": []})
    with pytest.raises(LabError, match="isotherm-lab run driver-gain"):
        chart.draw(tmp_path)


def test_a_fault_that_cannot_be_had_here_is_left_out_and_said(monkeypatch):
    starved = CONDITIONS["starved"]
    poor = replace(starved, fault=replace(starved.fault, obstacle=lambda: "No control groups."))
    monkeypatch.setitem(CONDITIONS, "starved", poor)
    console = Console(record=True, width=80)
    plan = report.possible(Plan(conditions=("none", "starved")), console)
    assert plan.conditions == ("none",)
    assert console.export_text().strip() == "starved is left out. No control groups."
    with pytest.raises(LabError, match="None of these faults"):
        report.possible(Plan(conditions=("starved",)), console)


def test_without_the_driver_package_it_says_how_to_get_it_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def run(*_: object) -> None:
        raise AssertionError("a cluster begins")

    monkeypatch.setattr(report, "run", run)
    # As where it is not installed.
    monkeypatch.setitem(sys.modules, "isotherm_driver", None)
    monkeypatch.delitem(sys.modules, "isotherm_driver.node_reports", raising=False)
    with pytest.raises(LabError, match=r"driver package is not installed: `make \.venv/driver` builds it"):
        report.run_and_report(planned(), tmp_path, Console(quiet=True))
