# SPDX-License-Identifier: Apache-2.0
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from terminal import shown

from isotherm_lab.data.partition_table import limit_reads
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.hot_partition import chart, clients, fair_chart, fair_reads, report, series, writes
from isotherm_lab.experiments.hot_partition.fair import FairMoments
from isotherm_lab.experiments.hot_partition.left import part_of_left, replicas_of_hot
from isotherm_lab.experiments.hot_partition.plan import RECOVERY_S, SHORT, Plan
from isotherm_lab.experiments.hot_partition.run import Moments, Outcome
from isotherm_lab.load.closed_load import FAILED, REJECTED
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters

MOMENTS = Moments(
    background_from=100, background_to=119, hot_starts=120, hot_from=125, altered=145, alter_answered=145.2, end=175
)


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
    at = np.arange(80.0, 270.0)
    busy = ((at > 120) & (at < 146)).astype(float)
    counters = NodeCounters(at, {"disk_reads": at * 300, "read_stage_pending": busy * 30, "disk_waiting": busy * 16})
    processors = {name: {"nodes": 0.5, "machine": 0.7, "of": 2} for name in ("background", "hot", "limited")}
    nodes = {f"127.0.0.{number}": counters for number in (1, 2, 3)}
    shared = np.concatenate([reads([(220, 250, 6)]), reads([(220, 250, 900)], REJECTED)])
    shared = np.sort(shared, order="intended_us")
    half = np.concatenate([reads([(220, 250, 3)]), reads([(220, 250, 450)], REJECTED)])
    half = np.sort(half, order="intended_us")
    unshared = reads([(180, 195, 80)])
    again = reads([(256, 262, 2)])
    back = reads([(180, 195, 30), (195, 220, 200), (220, 223, 20), (223, 262, 190)])
    shares = FairMoments(200, 219, 220, 250, 260)
    compared = FairMoments(200, 219, 220, 250, 260, unshared=(185, 195))
    for name, records in {
        "hot-fair": shared, "hot-fair-first": half, "hot-fair-second": half,
        "hot-fair-costly": shared, "hot-fair-costly-unshared": unshared,
        writes.WRITERS: back, writes.HOT_WRITES: shared, f"{writes.HOT_WRITES}-unshared": unshared,
        "hot-fair-again": again, "hot-fair-first-again": again, "hot-fair-second-again": reads([(256, 262, 0.01)]),
        "hot-fair-costly-again": again, f"{writes.HOT_WRITES}-again": again,
    }.items():  # fmt: skip
        (tmp_path / name).mkdir()
        records.tofile(tmp_path / name / "requests.bin")
    variants = {"one": shares, "two": shares, "costly": compared}
    fair_shares = fair_reads.conclude(variants, back, tmp_path, nodes)
    fair_shares["writes"] = writes.conclude(compared, tmp_path, nodes)
    seconds = {name: fair_chart.of_usual(shares, back) for name in fair_shares}
    return Outcome(MOMENTS, background, np.sort(hot, order="intended_us"), nodes, processors, fair_shares, seconds)


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


@pytest.mark.parametrize("which", ["one", "two", "costly", "writes"])
def test_fair_shares_have_the_agreed_shape(outcome: Outcome, which: str):
    one = json.loads(json.dumps(report.conclude(Plan(), outcome)))["fair_share"][which]
    assert 3.5 <= one["recovered_s"] <= 5
    assert [phase["name"] for phase in one["phases"]] == ["background", "hot", "after"]
    background, hot, after = one["phases"]
    assert background["background_per_s"] == pytest.approx(200, rel=0.01) and background["hot_offered_per_s"] == 0
    assert hot["background_per_s"] == pytest.approx(190, rel=0.01) and (hot["from_s"], hot["to_s"]) == (5, 30)
    assert hot["hot_accepted_per_s"] == pytest.approx(6, rel=0.05)
    assert hot["hot_rejected_per_s"] == pytest.approx(900, rel=0.01)
    assert after["hot_accepted_per_s"] == after["hot_offered_per_s"] == pytest.approx(2 * 4 / 5, abs=0.25)
    assert after["hot_rejected_per_s"] == after["background_rejected_per_s"] == 0
    assert (after["from_s"], after["to_s"]) == (35, 40)


@pytest.mark.parametrize(
    ("which", "background_per_s", "hot_per_s", "part"),
    [
        # 48 places of the disks, each for 30 ms a chunk: 24 are taken, 11 of the 24 others hold hot reads.
        ("one", 200, 100 / 6, 11 / 24),
        ("two", 200, 100 / 6, 11 / 24),
        # A chunk takes 15 ms: 24 are taken, 16.5 hold costly reads.
        ("costly", 400, 5, 16.5 / 24),
        # 96 threads, each for 120 ms: 36 are taken, 45 hold hot writes.
        ("writes", 100, 125, 45 / 60),
        ("one", 500, 1, None),
    ],
)
def test_what_is_left_is_what_the_background_does_not_take(which, background_per_s, hot_per_s, part):
    found = part_of_left(Plan(), which, background_per_s, hot_per_s)
    assert found == (part if part is None else pytest.approx(part, abs=1e-3))


def test_the_disks_tell_whether_hot_reads_had_speculative_retries():
    # 283 reads of the background take four chunks each; the others are of 5.27 reads of 110.
    assert replicas_of_hot(Plan(), "costly", 283 * 4 + 5.27 * 110 * 2, 283, 5.27) == 2
    assert replicas_of_hot(Plan(), "costly", 283 * 4 + 5.27 * 110 * 3, 283, 5.27) == 3
    assert replicas_of_hot(Plan(), "one", 180 * 4 + 29 * 11 * 2.5, 180, 29) == 2.5
    assert replicas_of_hot(Plan(), "one", 720, 180, 0) is None
    assert replicas_of_hot(Plan(), "writes", 720, 180, 29) is None


@pytest.mark.parametrize("which", ["costly", "writes"])
def test_costly_reads_and_hot_writes_are_measured_without_shares_too(outcome: Outcome, which: str):
    concluded = report.conclude(Plan(), outcome)["fair_share"][which]
    assert concluded["under_hot"] == pytest.approx(0.15, abs=0.01)
    assert concluded["without_shares"]["hot_accepted_per_s"] == pytest.approx(80, rel=0.02)


def test_what_each_of_two_hot_partitions_is_served_is_told(outcome: Outcome):
    fair_shares = report.conclude(Plan(), outcome)["fair_share"]
    assert fair_shares["two"]["phases"][1]["each_accepted_per_s"] == pytest.approx([3, 3], rel=0.05)
    assert fair_shares["one"]["phases"][1]["each_accepted_per_s"] == pytest.approx([6], rel=0.05)
    told = " ".join(shown(report.fair_table(fair_shares["two"], "Two")))
    assert "Of each hot partition per s: 3.0" in told
    # Three disks serve 300 a second each, and four for each of the 190 of the background.
    assert f"Each of their reads takes {(900 - 190 * 4) / 11 / 6:.1f} replicas." in told


def test_the_table_of_fair_shares_fits_a_terminal(outcome: Outcome):
    lines = shown(report.fair_table(report.conclude(Plan(), outcome)["fair_share"]["one"], "Under fair shares"))
    rows = [line.split() for line in lines if line.split()[:1] in (["background"], ["hot"], ["after"])][-3:]
    assert [row[0] for row in rows] == ["background", "hot", "after"] and rows[1][2] == "0.950"


def test_a_percentile_of_reads_that_failed_has_a_dash_in_both_tables(outcome: Outcome):
    outcome.background["outcome"][outcome.background["intended_us"] >= 145e6] = FAILED
    concluded = report.conclude(Plan(), outcome)
    assert concluded["phases"][2]["background_p99_ms"] is None
    (row,) = (line.split() for line in shown(report.table(concluded)) if line.split()[:1] == ["limited"])
    assert row[3] == "-"
    fair = concluded["fair_share"]["one"]
    fair["phases"][1]["background_p99_ms"] = None
    assert any(line.split()[3:4] == ["-"] for line in shown(report.fair_table(fair, "Under fair shares")))


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
    fair_chart.write(tmp_path / fair_chart.SECONDS, outcome.fair_seconds)
    sizes = [(1600, 1280), (1600, 800)]
    for picture, size in zip(chart.draw(tmp_path), sizes, strict=True):
        content = picture.read_bytes()
        assert content[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", content[16:24]) == size
    assert "two,0,0.1" in (tmp_path / fair_chart.SECONDS).read_text()
    seconds = (tmp_path / series.SECONDS).read_text().splitlines()
    assert seconds[1].startswith("-45,200") and seconds[-1].startswith("29,196")
    assert len(seconds) == 1 + 75
    assert len((tmp_path / series.QUEUES).read_text().splitlines()) == 1 + 3 * 75


def test_no_results_are_reported_in_a_sentence(tmp_path: Path):
    with pytest.raises(LabError, match="isotherm-lab run hot-partition"):
        chart.draw(tmp_path)


class _Cluster:
    """Where nodes would be."""

    def contact_points(self) -> list[str]:
        return ["127.0.0.1", "127.0.0.2", "127.0.0.3"]


def test_a_costly_read_has_a_hundred_times_the_data_at_a_tenth_of_the_rate(tmp_path: Path):
    plan = Plan()
    (costly,) = fair_reads.hot(_Cluster(), plan, tmp_path, "costly")
    first, second = fair_reads.hot(_Cluster(), plan, tmp_path, "two")
    rows = dict(enumerate((plan.data.hot_rows, *plan.data.further_rows), plan.data.hot_key))
    assert rows[costly.first_key] == 100 and costly.keys == 1 and costly.per_s == 32
    assert rows[first.first_key] == rows[second.first_key] == 10 and first.first_key != second.first_key
    assert first.in_flight_per_node == second.in_flight_per_node == 16 and first.per_s == 0
    background = clients.reader(_Cluster(), plan, tmp_path)
    assert (background.first_key, background.keys, background.in_flight_per_node) == (0, 3000, 4)
    writer = clients.writer(_Cluster(), plan, tmp_path, plan.data.hot_key)
    assert (writer.consistency, writer.in_flight_per_node, writer.keys) == ("ALL", 64, 1)


def test_the_hot_client_hammers_as_the_issue_says():
    plan = Plan()
    assert plan.hot_factor == 8 and plan.data.hot_rows == 10 and plan.limit_per_s == 10
    assert SHORT.expected_s() <= 310
    assert limit_reads("ks.t", 10) == "ALTER TABLE ks.t WITH per_partition_rate_limit = {'max_reads_per_second': 10}"
