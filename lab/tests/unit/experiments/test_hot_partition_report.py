# SPDX-License-Identifier: Apache-2.0
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from terminal import shown

from isotherm_lab.data.partition_table import limit_reads
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.hot_partition import chart, fair, report, series, writes
from isotherm_lab.experiments.hot_partition.fair import FairMoments
from isotherm_lab.experiments.hot_partition.plan import RECOVERY_S, SHORT, Plan
from isotherm_lab.experiments.hot_partition.run import Moments, Outcome
from isotherm_lab.experiments.hot_partition.writes import WriteMoments
from isotherm_lab.load.closed_load import REJECTED
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters

MOMENTS = Moments(background_from=100, hot_starts=120, hot_from=125, altered=145, alter_answered=145.2, end=175)


def reads(stretches: list[tuple[float, float, float]], outcome: int = samples.ANSWERED) -> np.ndarray:
    """Return reads of 10 ms: `per_s` from one moment to another, for each stretch."""
    begins = np.concatenate([np.arange(a, b, 1 / per_s) for a, b, per_s in stretches])
    records = np.zeros(len(begins), dtype=samples.RECORD)
    records["intended_us"], records["latency_us"], records["outcome"] = begins * 1e6, 10_000, outcome
    return records


@pytest.fixture
def outcome(tmp_path: Path) -> Outcome:
    background = reads([(90, 120, 200), (120, 146, 40), (146, 177, 196)])
    hot = np.concatenate([reads([(120, 145, 80), (145, 177, 10)]), reads([(145, 177, 1500)], REJECTED)])
    at = np.arange(80.0, 180.0)
    busy = ((at > 120) & (at < 146)).astype(float)
    counters = NodeCounters(at, {"disk_reads": at * 300, "read_stage_pending": busy * 30, "disk_waiting": busy * 16})
    processors = {name: {"nodes": 0.5, "machine": 0.7, "of": 2} for name in ("background", "hot", "limited")}
    nodes = {f"127.0.0.{number}": counters for number in (1, 2, 3)}
    shared = np.concatenate([reads([(220, 250, 6)]), reads([(220, 250, 900)], REJECTED)])
    shared = np.sort(shared, order="intended_us")
    unshared = reads([(180, 195, 80)])
    back = reads([(180, 195, 30), (195, 220, 200), (220, 223, 20), (223, 262, 190)])
    shares = FairMoments(200, 220, 250, 260)
    for name, records in ((writes.WRITERS, back), (writes.UNSHARED, unshared), (writes.SHARED, shared)):
        (tmp_path / name).mkdir()
        records.tofile(tmp_path / name / "requests.bin")
    fair_shares = {
        "one": fair.conclude(shares, back, shared),
        "writes": writes.conclude(WriteMoments(185, 195, shares), tmp_path),
    }
    return Outcome(MOMENTS, background, np.sort(hot, order="intended_us"), nodes, processors, fair_shares)


def test_the_summary_has_the_agreed_shape(outcome: Outcome):
    summary = json.loads(json.dumps(report.conclude(Plan(), outcome)))
    assert summary["experiment"] == "hot-partition"
    assert 2.5 <= summary["recovered_s"] <= 3.5
    assert [phase["name"] for phase in summary["phases"]] == ["background", "hot", "limited"]
    for phase in summary["phases"]:
        for key in ("background_per_s", "background_p99_ms", "hot_offered_per_s", "hot_accepted_per_s",
                    "hot_rejected_per_s"):  # fmt: skip
            assert isinstance(phase[key], int | float)
    background, hot, limited = summary["phases"]
    assert background["background_per_s"] == pytest.approx(200, rel=0.01) and background["hot_offered_per_s"] == 0
    assert hot["background_per_s"] == pytest.approx(40, rel=0.01)
    assert hot["hot_accepted_per_s"] == pytest.approx(80, rel=0.01)
    assert limited["background_per_s"] == pytest.approx(196, rel=0.01)
    assert limited["hot_offered_per_s"] == pytest.approx(1510, rel=0.01)
    assert limited["hot_rejected_per_s"] == pytest.approx(1500, rel=0.01)
    assert summary["under_hot"] == pytest.approx(0.2, abs=0.01)
    assert summary["under_limit"] == pytest.approx(0.98, abs=0.01)


@pytest.mark.parametrize("which", ["one", "writes"])
def test_fair_shares_have_the_agreed_shape(outcome: Outcome, which: str):
    one = json.loads(json.dumps(report.conclude(Plan(), outcome)))["fair_share"][which]
    assert 3.5 <= one["recovered_s"] <= 5
    assert [phase["name"] for phase in one["phases"]] == ["background", "hot", "after"]
    background, hot, after = one["phases"]
    assert background["background_per_s"] == pytest.approx(200, rel=0.01) and background["hot_offered_per_s"] == 0
    assert hot["background_per_s"] == pytest.approx(190, rel=0.01) and (hot["from_s"], hot["to_s"]) == (5, 30)
    assert hot["hot_accepted_per_s"] == pytest.approx(6, rel=0.05)
    assert hot["hot_rejected_per_s"] == pytest.approx(900, rel=0.01)
    assert after["hot_offered_per_s"] == 0 and after["background_rejected_per_s"] == 0
    assert (after["from_s"], after["to_s"]) == (35, 40)


def test_hot_writes_are_measured_without_shares_too(outcome: Outcome):
    concluded = report.conclude(Plan(), outcome)["fair_share"]["writes"]
    assert concluded["under_hot"] == pytest.approx(0.15, abs=0.01)
    assert concluded["without_shares"]["hot_accepted_per_s"] == pytest.approx(80, rel=0.02)


def test_the_table_of_fair_shares_fits_a_terminal(outcome: Outcome):
    lines = shown(report.fair_table(report.conclude(Plan(), outcome)["fair_share"]["one"], "Under fair shares"))
    rows = [line.split() for line in lines if len(line.split()) == 8][-3:]
    assert [row[0] for row in rows] == ["background", "hot", "after"] and rows[1][2] == "0.950"


def test_a_phase_under_the_limit_is_measured_from_when_the_promise_holds(outcome: Outcome):
    limited = report.conclude(Plan(), outcome)["phases"][2]
    assert (limited["from_s"], limited["to_s"]) == (RECOVERY_S, 30)


def test_the_table_fits_a_terminal(outcome: Outcome):
    lines = shown(report.table(report.conclude(Plan(), outcome)))
    rows = [line.split() for line in lines if len(line.split()) == 8][-3:]
    assert [row[0] for row in rows] == ["background", "hot", "limited"]
    assert rows[2][2] == "0.980" and rows[1][-1] == "46.0"


def test_the_chart_is_drawn_from_the_files(outcome: Outcome, tmp_path: Path):
    (tmp_path / "summary.json").write_text(json.dumps(report.conclude(Plan(), outcome)))
    series.write_seconds(tmp_path / series.SECONDS, outcome)
    series.write_queues(tmp_path / series.QUEUES, outcome)
    (picture,) = chart.draw(tmp_path)
    content = picture.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", content[16:24]) == (1600, 1280)
    seconds = (tmp_path / series.SECONDS).read_text().splitlines()
    assert seconds[1].startswith("-45,200") and seconds[-1].startswith("29,196")
    assert len(seconds) == 1 + 75
    assert len((tmp_path / series.QUEUES).read_text().splitlines()) == 1 + 3 * 75


def test_no_results_are_reported_in_a_sentence(tmp_path: Path):
    with pytest.raises(LabError, match="isotherm-lab run hot-partition"):
        chart.draw(tmp_path)


def test_the_hot_client_hammers_as_the_issue_says():
    plan = Plan()
    assert plan.hot_factor == 8 and plan.data.hot_rows == 10 and plan.limit_per_s == 10
    assert SHORT.expected_s() <= 210
    assert limit_reads("ks.t", 10) == "ALTER TABLE ks.t WITH per_partition_rate_limit = {'max_reads_per_second': 10}"
