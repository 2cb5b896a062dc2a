# SPDX-License-Identifier: Apache-2.0
import math
from pathlib import Path

import numpy as np
import pytest

from isotherm_lab.measure import recording

LATENCY = "second,answers,errors,p50_ms,p90_ms,p99_ms,max_ms\n"
NODES = (
    "second,node,reads_per_s,row_cache_hits_per_s,row_cache_misses_per_s,disk_reads_per_s,"
    "received_per_s,local_per_s,sent_total_per_s\n"
)


def written(folder: Path, latency: str, nodes: str) -> Path:
    (folder / "latency.csv").write_text(LATENCY + latency)
    (folder / "nodes.csv").write_text(NODES + nodes)
    return folder


def test_the_series_hold_what_the_files_say(tmp_path: Path):
    folder = written(
        tmp_path,
        "-1,400,0,5.5,8,20.25,30\n0,390,2,7.0,9,40.5,50\n",
        "-1,127.0.0.1,100,80,20,25,40,60,61\n-1,127.0.0.3,50,0,50,51,10,40,41\n0,127.0.0.1,200,150,50,60,90,110,111\n",
    )
    run = recording.read(folder)
    assert run.latency.seconds.tolist() == [-1, 0]
    assert run.latency["p50_ms"].tolist() == [5.5, 7.0]
    assert run.latency["p99_ms"].tolist() == [20.25, 40.5]
    assert run.latency["errors"].tolist() == [0, 2]
    assert list(run.nodes) == ["127.0.0.1", "127.0.0.3"]
    first = run.nodes["127.0.0.1"]
    assert first.seconds.tolist() == [-1, 0]
    assert first.reads.tolist() == [100, 200]
    assert first.misses.tolist() == [20, 50]
    assert first.hit_ratio.tolist() == [0.8, 0.75]
    assert first.replica.tolist() == [40, 90]
    assert first.local.tolist() == [60, 110]
    assert first.remote.tolist() == [61, 111]
    assert run.nodes["127.0.0.3"].hit_ratio.tolist() == [0.0]


def test_without_a_row_cache_a_miss_is_a_read_of_the_disk(tmp_path: Path):
    node = recording.read(written(tmp_path, "", "0,127.0.0.1,100,0,0,30,0,0,0\n"), "read_time").nodes["127.0.0.1"]
    assert node.misses.tolist() == [30]
    assert node.hit_ratio == pytest.approx([0.7])


def test_more_disk_reads_than_reads_are_no_negative_hit_ratio(tmp_path: Path):
    node = recording.read(written(tmp_path, "", "0,127.0.0.1,100,0,0,130,0,0,0\n"), "read_time").nodes["127.0.0.1"]
    assert node.hit_ratio.tolist() == [0]


def test_a_node_that_serves_nothing_has_no_hit_ratio(tmp_path: Path):
    node = recording.read(written(tmp_path, "", "0,127.0.0.3,0,0,0,0,0,0,0\n")).nodes["127.0.0.3"]
    assert np.isnan(node.hit_ratio).all()
    assert node.reads.tolist() == [0]


def test_seconds_that_are_missing_are_gaps_and_not_lines(tmp_path: Path):
    run = recording.read(written(tmp_path, "0,400,0,5,6,7,8\n3,400,0,9,9,9,9\n", ""))
    assert run.latency.seconds.tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(run.latency["p50_ms"], [5, math.nan, math.nan, 9])


def test_a_second_without_answers_has_no_percentile(tmp_path: Path):
    run = recording.read(written(tmp_path, "0,0,12,,,,\n1,400,0,5,6,7,8\n", ""))
    np.testing.assert_array_equal(run.latency["p99_ms"], [math.nan, 7])
    assert run.latency["errors"].tolist() == [12, 0]


@pytest.mark.parametrize("torn", ["1,127.0.0.1,10", "1,127.0", "1", "x,127.0.0.1,1,1,1,1,1,1,1\n", "\n", "\x00\xff"])
def test_a_torn_row_of_a_node_is_left_out(tmp_path: Path, torn: str):
    run = recording.read(written(tmp_path, "0,400,0,5,6,7,8\n", "0,127.0.0.1,100,80,20,25,40,60,61\n" + torn))
    assert list(run.nodes) == ["127.0.0.1"]
    assert run.nodes["127.0.0.1"].reads.tolist() == [100]


@pytest.mark.parametrize("torn", ["1", "1,", "-", "\n", "1,,,\n"])
def test_a_torn_row_of_latency_is_left_out(tmp_path: Path, torn: str):
    run = recording.read(written(tmp_path, "0,400,0,5,6,7,8\n" + torn, ""))
    assert run.latency.seconds.tolist() == [0]


def test_empty_files_are_an_empty_recording(tmp_path: Path):
    (tmp_path / "latency.csv").write_text("")
    (tmp_path / "nodes.csv").write_text("")
    run = recording.read(tmp_path)
    assert run.latency.seconds.size == 0 and run.nodes == {}
