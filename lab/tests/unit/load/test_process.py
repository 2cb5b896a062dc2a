# SPDX-License-Identifier: Apache-2.0
"""Load generators in processes of their own, against a node that answers everything."""

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from fake_node import FakeNode

from isotherm_lab.errors import LabError
from isotherm_lab.load import process
from isotherm_lab.load.closed_load import ClosedLoadSettings
from isotherm_lab.load.process import LoadProcess, all_sending
from isotherm_lab.load.settings import LoadSettings
from isotherm_lab.measure import samples


@pytest.fixture
def node() -> Iterator[FakeNode]:
    node = FakeNode(lambda key: b"")
    yield node
    node.close()


def settings(folder: Path, port: int) -> ClosedLoadSettings:
    return ClosedLoadSettings(["127.0.0.1"], str(folder), "SELECT", 2, first_key=0, keys=5, seed=1, port=port)


def test_all_send_before_anything_is_done_with_them_and_leave_records(node: FakeNode, tmp_path: Path):
    folders = [tmp_path / "one", tmp_path / "two"]
    with all_sending([settings(folder, node.port) for folder in folders]) as loads:
        # Each has told of its first second. How much was answered in it is the machine's affair.
        assert all("answered" in load.latest for load in loads)
        for load in loads:
            load.check()
            load.stop()
    answered = [len(samples.read(folder / "requests.bin")) for folder in folders]
    assert min(answered) > 0 and sum(answered) == len(node.keys)


FAILS_AT_THE_END = """
import sys
print('{"answered": 1}', flush=True)
sys.stdin.read()
sys.exit("nothing could be written")
"""


@dataclass(frozen=True)
class ProgramSettings(LoadSettings):
    """Settings of a program of the test's own."""

    @property
    def program(self) -> str:
        return "ends_badly"


def test_a_load_that_fails_as_it_stops_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "ends_badly.py").write_text(FAILS_AT_THE_END)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with LoadProcess(ProgramSettings([], str(tmp_path))) as load:
        load.wait_until_sending()
        with pytest.raises(LabError, match="ended with 1:\nnothing could be written"):
            load.stop()


def test_a_load_that_is_ended_on_purpose_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "ends_badly.py").write_text(FAILS_AT_THE_END)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with LoadProcess(ProgramSettings([], str(tmp_path))) as load:
        load.wait_until_sending()


def test_a_load_that_cannot_begin_says_why_and_the_others_are_ended(
    node: FakeNode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    begun: list[LoadProcess] = []
    made: list[LoadProcess] = []

    class Noted(LoadProcess):
        def __init__(self, settings: LoadSettings):
            super().__init__(settings)
            made.append(self)

    monkeypatch.setattr(process, "LoadProcess", Noted)
    with (
        socket.socket() as nobody,
        pytest.raises(LabError, match=r"(?s)ended before its time.*refused"),
    ):
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        port = nobody.getsockname()[1]
        with all_sending([settings(tmp_path / "one", node.port), settings(tmp_path / "two", port)]) as loads:
            begun += loads
    assert begun == []
    # Nobody told the first one to stop: it was killed, and sends no more.
    sent = len(node.keys)
    time.sleep(0.3)
    assert len(node.keys) - sent <= 2
    records = samples.read(tmp_path / "one" / "requests.bin")
    # It told of its first second before anybody looked at the other, and what it tells of is written by then.
    assert len(records) >= made[0].latest["answered"]
    assert np.all(records["outcome"] == samples.ANSWERED)
