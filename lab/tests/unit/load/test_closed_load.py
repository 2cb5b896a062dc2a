# SPDX-License-Identifier: Apache-2.0
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from fake_node import FakeNode, error

from isotherm_lab.load import closed_load
from isotherm_lab.load.closed_load import FAILED, NO_ANSWER, REJECTED, ClosedLoad, ClosedLoadSettings
from isotherm_lab.load.cql_connection import CONFIGURATION_ERROR
from isotherm_lab.measure import samples


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable]:
    """Return a function that loads a fake node until it has answered so many reads, and returns node and records."""
    nodes = []

    def load(answer: Callable[[int], bytes], reads: int, **settings) -> tuple[FakeNode, np.ndarray]:
        node = FakeNode(answer)
        nodes.append(node)
        described = {"in_flight_per_node": 3, "first_key": 100, "keys": 5, "seed": 1, "port": node.port} | settings
        told, tell = os.pipe()
        closed = ClosedLoad(
            ClosedLoadSettings(contact_points=["127.0.0.1"], directory=str(tmp_path), statement="SELECT", **described)
        )

        def stop() -> None:
            deadline = time.monotonic() + 30
            while len(node.keys) < reads and time.monotonic() < deadline:
                time.sleep(0.005)
            os.close(tell)

        stopping = threading.Thread(target=stop)
        stopping.start()
        closed.run(told)
        stopping.join()
        os.close(told)
        return node, samples.read(tmp_path / "requests.bin")

    yield load
    for node in nodes:
        node.close()


def test_every_read_is_answered_and_recorded_and_keys_are_spread(served):
    node, records = served(lambda key: b"", 300)
    assert len(records) == len(node.keys) >= 300
    assert set(node.keys) == set(range(100, 105))
    assert set(records["outcome"].tolist()) == {samples.ANSWERED}
    assert records["latency_us"].min() >= 0


def test_no_more_reads_are_in_flight_than_allowed(served):
    _, records = served(lambda key: b"", 300, in_flight_per_node=3)
    begins, ends = records["intended_us"], records["intended_us"] + records["latency_us"]
    # Moments are whole microseconds: a read may seem to begin in the one in which another ends.
    at_once = [int(np.sum((begins <= at) & (ends > at + 1))) for at in begins.tolist()]
    assert max(at_once) <= 3


def test_a_rejection_is_told_from_another_failure(served, tmp_path: Path):
    answers = {100: error(CONFIGURATION_ERROR, "too hot"), 101: error(0x1200, "timed out")}
    node, records = served(lambda key: answers.get(key, b""), 300)
    for outcome, keys in ((REJECTED, {100}), (FAILED, {101}), (samples.ANSWERED, {102, 103, 104})):
        assert np.count_nonzero(records["outcome"] == outcome) == sum(key in keys for key in node.keys) > 0
    errors = {each["code"]: each for each in json.loads((tmp_path / "errors.json").read_text())}
    assert errors[CONFIGURATION_ERROR]["first"] == "too hot" and errors[0x1200]["first"] == "timed out"


def test_what_is_never_answered_is_recorded_as_failed(served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(closed_load, "_DRAIN_SECONDS", 0.3)
    over = threading.Event()

    def silent(_key: int) -> bytes:
        over.wait(30)
        return b""

    try:
        _, records = served(silent, 1, in_flight_per_node=3)
    finally:
        over.set()
    assert records["outcome"].tolist() == [FAILED] * 3
    assert records["latency_us"].min() >= 300_000
    (error_,) = json.loads((tmp_path / "errors.json").read_text())
    assert (error_["code"], error_["count"]) == (NO_ANSWER, 3) and "no answer" in error_["first"]


def test_a_rejected_application_comes_again_after_its_pause_and_not_before(served):
    reject = error(CONFIGURATION_ERROR, "too hot")
    _, records = served(lambda key: reject, 12, pause_after_rejection_s=0.2)
    # Three at a time, so that the fourth read is the first one's application coming again.
    begins, ends = records["intended_us"], np.sort(records["intended_us"] + records["latency_us"])
    assert len(records) >= 12
    assert (begins[3:] - ends[:-3] >= 200_000 - 1_000).all()


def test_settings_are_read_as_they_were_written(tmp_path: Path):
    settings = ClosedLoadSettings(["127.0.0.1"], "somewhere", "SELECT", 3, first_key=100, keys=5, seed=1)
    settings.save(tmp_path / "load.json")
    assert ClosedLoadSettings.read(str(tmp_path / "load.json")) == settings
    assert settings.program == "isotherm_lab.load.closed_load"
