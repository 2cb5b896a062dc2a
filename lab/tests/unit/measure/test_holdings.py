# SPDX-License-Identifier: Apache-2.0
"""What is read off a node about what it holds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from isotherm_lab.measure import holdings
from isotherm_lab.measure.holdings import Holdings

HISTOGRAM = """\
 num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:        120034       14123456  [B (java.base@17.0.15)
   2:           700          33600  dev.isotherm.cassandra.limit.TableLimits
   3:            40           1280  [Ldev.isotherm.heat.Heat;
   4:             2             64  dev.isotherm.Isotherm$$Lambda$812/0x0000000800d2
   5:           999          15984  dev.isotherm.lab.Probe
   6:           500          12000  java.lang.String (java.base@17.0.15)
Total        122275       14186384
"""


def test_the_plugins_objects_are_those_of_its_classes_and_their_arrays_without_the_labs():
    assert holdings.heap(HISTOGRAM) == (14_186_384, 742)


def test_the_bytes_of_a_class_are_those_of_all_that_load_it(tmp_path: Path):
    (tmp_path / "heap.txt").write_text(HISTOGRAM.replace("dev.isotherm.lab.Probe", "java.lang.String"))
    held = holdings.bytes_by_class(tmp_path)
    assert held["[B"] == 14_123_456
    assert held["[Ldev.isotherm.heat.Heat;"] == 1_280
    assert held["java.lang.String"] == 12_000 + 15_984
    assert "Total" not in held and len(held) == 5


def test_what_is_no_histogram_is_refused():
    with pytest.raises(ValueError, match="No histogram of a heap: 'attach"):
        holdings.heap("attach failed")


def test_threads_are_all_but_those_of_cassandras_pools():
    lines = [
        "main\tIsotherm",
        "main\tIsotherm-Admissions",
        "SharedPool\tReadStage-4",
        "Messaging\tMessaging-1",
        "HintsDispatcher\tHintsDispatcher:2",
        "HintsDispatcher\tbegun by one of them",
        "\told",
    ]
    assert holdings.counted_threads(lines) == (5, 2)


def test_handles_are_those_outside_of_the_data_directory(tmp_path: Path):
    opens = "import sys; kept = [open(name) for name in sys.argv[1:]]; print(flush=True); sys.stdin.read()"
    data = tmp_path / "data"
    data.mkdir()
    files = [data / "table", data / "log", tmp_path / "database"]
    for file in files:
        file.touch()

    def counted(opened: list[Path]) -> int:
        with subprocess.Popen(
            [sys.executable, "-c", opens, *opened], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            process.stdout.readline()
            number = holdings.handles(process.pid, data)
            process.stdin.close()
        return number

    assert counted(files) == counted([]) + 1
    assert holdings.handles(os.getpid(), data) > 0


def test_the_most_of_several_nodes_is_the_most_of_each_figure():
    nodes = [Holdings(5, 1, 0, -4, 0), Holdings(-2, 3, 0, 8, 0)]
    assert holdings.most(nodes) == Holdings(5, 3, 0, 8, 0)
    assert (nodes[0] - nodes[1]).as_json() == {
        "heap_bytes": 7, "threads": -2, "handles": 0, "plugin_objects": -12, "plugin_threads": 0,
    }  # fmt: skip
