# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest
from gray_runs import run

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.gray import chart
from isotherm_lab.measure import recording

NAMES = ("isotherm", "cassandra")
ADDRESSES = ("127.0.0.8", "127.0.0.9", "127.0.0.10")


def results(folder: Path, faults: tuple[str, ...] = ("slow-disk", "two-slow@default")) -> Path:
    """Write synthetic results of two variants."""
    for fault in faults:
        for name in NAMES:
            own = folder / fault / name
            own.mkdir(parents=True)
            seconds = range(-10, 60)
            (own / "latency.csv").write_text(
                "second,answers,errors,p50_ms,p90_ms,p99_ms,max_ms\n"
                + "".join(f"{s},400,0,{10 + s % 3},20,{50 + s % 7},90\n" for s in seconds)
            )
            (own / "nodes.csv").write_text(
                "second,node,reads_per_s,row_cache_hits_per_s,row_cache_misses_per_s,disk_reads_per_s,"
                "received_per_s,local_per_s,sent_total_per_s\n"
                + "".join(f"{s},{address},{200 + s},1,2,2,1,1,1\n" for s in seconds for address in ADDRESSES)
            )
    listed = {fault: {name: run(5.0, 5.0, None) for name in NAMES} for fault in faults}
    (folder / "summary.json").write_text(json.dumps({"experiment": "gray", "faults": listed}))
    return folder


def test_every_fault_on_every_table_gets_a_picture(tmp_path: Path):
    folder = results(tmp_path)
    files = chart.draw(folder)
    assert files == [folder / "slow-disk" / "chart.png", folder / "two-slow@default" / "chart.png"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_a_column_is_a_variant_and_rows_have_one_scale(tmp_path: Path):
    folder = results(tmp_path)
    runs = {name: recording.read(folder / "slow-disk" / name) for name in NAMES}
    figure = chart.of_fault("slow-disk", runs, {name: run(5.0, 5.0, None) for name in NAMES})
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()
    reads = next(line for line in figure.axes[2].lines if len(line.get_xdata()) > 2)
    assert reads.get_ydata().tolist() == [200 + second for second in range(-10, 60)]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    # In the order of the nodes, so that the last one is the faulty one.
    assert labels[:3] == ["127.0.0.8", "127.0.0.9", "127.0.0.10 (faulty)"]
    two = chart.of_fault("two-slow@default", runs, {name: run(5.0, 5.0, None) for name in NAMES})
    assert [text.get_text() for text in two.legends[0].get_texts()][1] == "127.0.0.9 (faulty)"


def test_a_run_whose_series_are_gone_is_named(tmp_path: Path):
    folder = results(tmp_path)
    (folder / "slow-disk" / "isotherm" / "nodes.csv").unlink()
    with pytest.raises(LabError, match=r"isotherm/nodes\.csv.*isotherm-lab run gray"):
        chart.draw(folder)


def test_a_summary_without_faults_says_which_command_makes_some(tmp_path: Path):
    with pytest.raises(LabError, match="isotherm-lab run gray"):
        chart.draw(results(tmp_path, ()))
