# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from isotherm_lab.measure.node_counters import NodeCounters, read_rows

HEADER = (
    "epoch_ms,reads,row_cache_hits,row_cache_misses,disk_reads,received,local,"
    "read_stage_pending,disk_waiting,counters_led,counter_queue,moved,copies,coordinated,"
    "sent_total,sent_by_peer\n"
)


def line(epoch_ms: int, reads: int, waiting: int = 0) -> str:
    return f"{epoch_ms},{reads},0,{reads // 2},0,0,{reads},0,{waiting},{reads // 4},{waiting},0,0,0,0,127.0.0.2=1\n"


def test_rates_interpolate_at_window_borders(tmp_path: Path):
    (tmp_path / "counters-1.csv").write_text(HEADER + line(1000, 0) + line(2000, 100) + line(3000, 300))
    counters = NodeCounters.of_node(tmp_path)
    assert counters.rate("reads", 1.5, 2.5) == pytest.approx(150)
    assert counters.rate("row_cache_misses", 1.0, 3.0) == pytest.approx(75)


def test_counters_go_on_over_a_restart_and_stand_still_between(tmp_path: Path):
    (tmp_path / "counters-1000.csv").write_text(HEADER + line(1000, 0) + line(2000, 100))
    (tmp_path / "counters-9000.csv").write_text(HEADER + line(9000, 0) + line(10000, 50))
    counters = NodeCounters.of_node(tmp_path)
    assert counters.rate("reads", 3, 8) == 0
    assert counters.rate("reads", 9, 10) == pytest.approx(50)
    assert counters.at("reads", 99) == 150


def test_a_gauge_begins_anew_with_a_process(tmp_path: Path):
    (tmp_path / "counters-1000.csv").write_text(HEADER + line(1000, 0, 4) + line(2000, 100, 30))
    (tmp_path / "counters-9000.csv").write_text(HEADER + line(9000, 0, 0) + line(10000, 50, 6))
    counters = NodeCounters.of_node(tmp_path)
    assert counters.at("disk_waiting", 1.5) == pytest.approx(17)
    assert counters.at("disk_waiting", 9) == 0
    assert counters.at("disk_waiting", 10) == 6


def test_a_torn_last_line_is_skipped(tmp_path: Path):
    file = tmp_path / "counters-1.csv"
    file.write_text(HEADER + line(1000, 10) + "2000,20,0,0,0,0,20,0")
    assert [row["reads"] for row in read_rows(file)] == [10]


def test_an_empty_file_of_a_process_that_died_at_once_is_tolerated(tmp_path: Path):
    (tmp_path / "counters-1000.csv").write_text(HEADER + line(1000, 0) + line(2000, 100))
    (tmp_path / "counters-3000.csv").write_text("")
    (tmp_path / "counters-4000.csv").write_text(HEADER + line(4000, 0))
    assert NodeCounters.of_node(tmp_path).at("reads", 5) == 100


def test_a_window_without_length_is_refused(tmp_path: Path):
    (tmp_path / "counters-1.csv").write_text(HEADER + line(1000, 0))
    with pytest.raises(ValueError, match="length"):
        NodeCounters.of_node(tmp_path).rate("reads", 2, 2)
