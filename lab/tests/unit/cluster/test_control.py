# SPDX-License-Identifier: Apache-2.0
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from isotherm_lab.cluster import control
from isotherm_lab.cluster.orders import order_all
from isotherm_lab.errors import LabError

AGES_S = 600


@dataclass
class StandIn:
    """What an order needs to know of a node."""

    directory: Path
    runs: bool = True

    def is_running(self) -> bool:
        return self.runs


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
    control.order(StandIn(tmp_path), "flush", "lab")
    node.join()
    assert list((tmp_path / "control").iterdir()) == []


def test_a_failed_order_gives_the_reason(tmp_path: Path):
    answer(tmp_path, ".error", "no such keyspace")
    with pytest.raises(LabError, match="no such keyspace"):
        control.order(StandIn(tmp_path), "flush", "nowhere")


def test_a_node_that_does_not_listen(tmp_path: Path):
    (tmp_path / "control").mkdir()
    with pytest.raises(LabError, match="did not do 'flush' within"):
        control.order(StandIn(tmp_path), "flush", "lab", timeout_s=0.1)
    assert list((tmp_path / "control").iterdir()) == []


def test_nobody_waits_for_a_node_that_has_ended(tmp_path: Path):
    (tmp_path / "control").mkdir()
    with pytest.raises(LabError, match="does not run, so it did not do 'flush'"):
        control.order(StandIn(tmp_path, runs=False), "flush", "lab", timeout_s=AGES_S)
    assert list((tmp_path / "control").iterdir()) == []


@pytest.mark.parametrize("turn", [1, -1])
def test_what_one_node_cannot_do_the_others_need_not_do(tmp_path: Path, turn: int):
    silent, ended = tmp_path / "silent", tmp_path / "ended"
    for directory in (silent, ended):
        (directory / "control").mkdir(parents=True)
    began = time.monotonic()
    with pytest.raises(LabError, match="does not run"):
        order_all([StandIn(ended, runs=False), StandIn(silent)][::turn], "flush", "lab", timeout_s=AGES_S)
    assert time.monotonic() - began < AGES_S / 10
