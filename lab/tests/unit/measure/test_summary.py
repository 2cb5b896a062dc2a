# SPDX-License-Identifier: Apache-2.0
import json
import threading
from pathlib import Path

import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.measure import summary


def test_what_is_written_is_read_back(tmp_path: Path):
    file = summary.write(tmp_path / "results" / "throughput", {"experiment": "throughput", "rows": [1, 2]})
    assert file == tmp_path / "results" / "throughput" / "summary.json"
    assert summary.read(file.parent, "throughput") == {"experiment": "throughput", "rows": [1, 2]}


def test_a_reader_sees_the_former_summary_or_the_next_and_nothing_else(tmp_path: Path):
    contents = [{"number": number, "rows": list(range(20_000 * number))} for number in (1, 2)]
    summary.write(tmp_path, contents[0])
    done = threading.Event()
    seen = []

    def watch() -> None:
        while not done.is_set():
            seen.append(json.loads((tmp_path / summary.FILE).read_text()))

    reader = threading.Thread(target=watch)
    reader.start()
    for turn in range(40):
        summary.write(tmp_path, contents[turn % 2])
    done.set()
    reader.join()
    assert seen and all(content in contents for content in seen)
    assert [file.name for file in tmp_path.iterdir()] == [summary.FILE]


def test_what_cannot_be_written_leaves_the_former_summary(tmp_path: Path):
    summary.write(tmp_path, {"number": 1})
    with pytest.raises(TypeError):
        summary.write(tmp_path, {"number": 2, "rows": [object()]})
    assert summary.read(tmp_path, "throughput") == {"number": 1}


@pytest.mark.parametrize("content", ["", "{", '{"rows": [1,'])
def test_no_results_and_torn_ones_are_reported_with_the_command_that_makes_some(tmp_path: Path, content: str):
    with pytest.raises(LabError, match=r"no results in .*isotherm-lab run throughput"):
        summary.read(tmp_path, "throughput")
    (tmp_path / summary.FILE).write_text(content)
    with pytest.raises(LabError, match=r"cannot be read .*isotherm-lab run throughput"):
        summary.read(tmp_path, "throughput")
