# SPDX-License-Identifier: Apache-2.0
import threading
from pathlib import Path

import pytest

from isotherm_lab.cluster import control
from isotherm_lab.errors import LabError


def answer(directory: Path, ending: str, content: str | None = None) -> threading.Thread:
    """A stand-in for the node: carries out the first order it sees."""

    def work() -> None:
        while True:
            for file in (directory / "control").iterdir():
                if "." in file.name:
                    continue
                if content is None:
                    file.rename(file.with_name(file.name + ending))
                else:
                    part = file.with_name(file.name + ".part")
                    part.write_text(content)
                    part.rename(file.with_name(file.name + ending))
                return

    (directory / "control").mkdir()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_an_order_is_done(tmp_path: Path):
    node = answer(tmp_path, ".done")
    control.order(tmp_path, "flush", "lab")
    node.join()
    assert list((tmp_path / "control").iterdir()) == []


def test_a_failed_order_gives_the_reason(tmp_path: Path):
    answer(tmp_path, ".error", "no such keyspace")
    with pytest.raises(LabError, match="no such keyspace"):
        control.order(tmp_path, "flush", "nowhere")


def test_a_node_that_does_not_listen(tmp_path: Path):
    (tmp_path / "control").mkdir()
    with pytest.raises(LabError, match="is it running"):
        control.order(tmp_path, "flush", "lab", timeout_s=0.1)
    assert list((tmp_path / "control").iterdir()) == []
