# SPDX-License-Identifier: Apache-2.0
"""The summary of the slow leader, from made-up turns."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.slow_leader import chart
from isotherm_lab.experiments.slow_leader import report as slow_leader_report
from isotherm_lab.experiments.slow_leader import run as slow_leader
from isotherm_lab.experiments.slow_leader.run import PLUGIN, STOCK, Outcome, Plan, Turn
from isotherm_lab.load.closed_loop import Window
from isotherm_lab.measure import samples

PLAN = Plan()
MEASURED = {"p50_ms", "p99_ms", "p999_ms", "mean_ms", "per_s", "leaders"}


def turn(variant: str, phase: str, latency_ms: float, timed_out: int = 0, begin: float = 100.0) -> Turn:
    """Return 100 updates a second for 12 s, of which 10 s are measured; each tenth takes ten times as long."""
    intended = (np.arange(begin - 1, begin + 11, 0.01) * 1e6).astype(int)
    records = np.zeros(intended.size, samples.RECORD)
    records["intended_us"] = intended
    records["latency_us"] = np.where(np.arange(intended.size) % 10 == 0, 10, 1) * latency_ms * 1000
    records["outcome"][:timed_out] = 1
    outcomes = Counter({"acknowledged": intended.size - timed_out, "WriteTimeout": timed_out})
    leaders = {"127.0.0.1": 400, "127.0.0.2": 350, "127.0.0.3": 250}
    return Turn(variant, phase, begin, begin + 10, records, outcomes, leaders, dict.fromkeys(leaders, 2.0), {})


def outcome(**more) -> Outcome:
    slowed = {STOCK: 40.0, PLUGIN: 6.0}
    turns = [
        turn(name, phase, slowed[name] if phase == "one_slow" else 5.0) for name in slowed for phase in PLAN.phases
    ]
    windows = {name: [Window(int(per_s), 1.0, 1.0, 0.1)] * 4 for name, per_s in ((STOCK, 1000), (PLUGIN, 990))}
    return Outcome(turns, {name: 3 * 1200 for name in slowed} | more, windows)


def test_the_summary_has_the_agreed_shape():
    summary = json.loads(json.dumps(slow_leader_report.conclude(PLAN, outcome())))
    assert summary["experiment"] == "slow-leader" and set(summary["variants"]) == {"cassandra", "isotherm"}
    for own in summary["variants"].values():
        assert {"well", "one_slow", "two_slow", "acknowledged", "timed_out", "counted"} <= set(own)
        for phase in PLAN.phases:
            assert set(own[phase]) == MEASURED
    assert len(summary["turns"]) == 6


def test_a_phase_counts_the_measured_stretch_of_all_its_turns():
    phase = slow_leader_report.measured([turn(STOCK, "well", 5.0), turn(STOCK, "well", 5.0, begin=500.0)])
    assert phase["p50_ms"] == 5 and phase["p99_ms"] == 50
    assert phase["mean_ms"] == pytest.approx(9.5)
    assert phase["per_s"] == pytest.approx(100, rel=0.01)
    assert phase["leaders"] == {"127.0.0.1": 800, "127.0.0.2": 700, "127.0.0.3": 500}


def test_updates_that_failed_have_no_latency_and_are_in_the_account():
    late = turn(STOCK, "well", 5.0, timed_out=300)
    assert slow_leader_report.measured([late])["per_s"] == pytest.approx(80, rel=0.02)
    account = slow_leader_report.account([late], counted=1100)
    assert account == {"acknowledged": 900, "timed_out": 300, "failed": 0, "counted": 1100}


@pytest.mark.parametrize(
    ("counted", "exact"), [(899, False), (900, True), (1000, True), (1000 + 7, True), (1000 + 8, False)]
)
def test_an_account_is_exact_between_what_was_acknowledged_and_what_may_have_been_counted(counted, exact):
    account = {"acknowledged": 900, "timed_out": 100, "failed": 7, "counted": counted}
    assert slow_leader_report.exact(account) is exact


def test_the_promises_are_compared_with_what_was_measured():
    said = "\n".join(slow_leader_report.verdicts(slow_leader_report.conclude(PLAN, outcome(isotherm=3601))))
    assert "cassandra: 3600 acknowledged, 0 timed out, 0 failed, 3600 counted: exact" in said
    assert "3601 counted: NOT exact" in said
    assert "990 updates/s, 0.990 x stock" in said
    assert "0.150 x stock Cassandra's" in said and "1.20 x its own" in said


def test_the_table_fits_a_terminal():
    console = Console(width=80)
    with console.capture() as shown:
        console.print(slow_leader_report.table(slow_leader_report.conclude(PLAN, outcome())))
    lines = shown.get().splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("400 350 250" in line for line in lines) == 6


def test_the_chart_is_drawn_from_the_summary_alone(tmp_path: Path):
    summary = slow_leader_report.conclude(PLAN, outcome())
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    assert chart.draw(tmp_path).read_bytes().startswith(b"\x89PNG")
    (tmp_path / "summary.json").write_text("{")
    with pytest.raises(LabError, match="cannot be read"):
        chart.draw(tmp_path)


def test_a_slow_node_is_overloaded_by_its_third_and_the_others_bear_all():
    data = PLAN.data
    well = data.parallel / data.service_us * 1e6
    assert well / PLAN.slowness < PLAN.rate / 3
    assert PLAN.rate < 0.2 * well
    assert slow_leader.SHORT.expected_s() < 300 and slow_leader.FULL.expected_s() < 600
