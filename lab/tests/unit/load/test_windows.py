# SPDX-License-Identifier: Apache-2.0
import time
from collections.abc import Iterator

import pytest
from fake_node import FakeNode, error

from isotherm_lab.errors import LabError
from isotherm_lab.load import pipeline
from isotherm_lab.load.cql_connection import CONFIGURATION_ERROR
from isotherm_lab.load.paced_load import STREAMS, Pace, PacedLoad, Saturation
from isotherm_lab.load.pipeline import Lane


@pytest.fixture
def paced(monkeypatch: pytest.MonkeyPatch) -> Iterator:
    made = []

    def load(answer, keys: list[int], rate: float) -> PacedLoad:
        node = FakeNode(answer)
        monkeypatch.setattr(pipeline, "CQL_PORT", node.port)
        seconds = iter(range(100))
        pace = Pace([Lane("127.0.0.1", "SELECT", "QUORUM", STREAMS, keys)], rate)
        paced = PacedLoad(pace, lambda: float(next(seconds)))
        made.extend((paced, pace, node))
        return paced

    yield load
    for each in made:
        each.close()


def test_what_is_offered_is_the_rate_whatever_becomes_of_it(paced):
    answers = {2: error(CONFIGURATION_ERROR, "too hot")}
    window = paced(lambda key: answers.get(key, b""), [1, 2], rate=400).window(1.0, 0.0)
    # Every read that was due is sent, however late: 400 of them, and as many as fit the last moment.
    assert 399 <= window.answered + window.rejected <= 402
    assert abs(window.answered - window.rejected) <= 1
    assert window.cpu_s == 1.0


def test_what_came_before_is_not_counted(paced):
    window = paced(lambda key: b"", [1], rate=400).window(1.0, 0.5)
    assert window.answered < 300


def test_a_failure_that_is_no_rejection_ends_the_measurement(paced):
    load = paced(lambda key: error(0x1200, "timed out"), [1], rate=100)
    with pytest.raises(LabError, match="timed out"):
        load.window(5.0, 0.0)


def test_saturation_keeps_so_many_in_flight_and_leaves_none(monkeypatch: pytest.MonkeyPatch):
    node = FakeNode(lambda key: error(CONFIGURATION_ERROR, "too hot") if key == 2 else b"")
    monkeypatch.setattr(pipeline, "CQL_PORT", node.port)
    saturation = Saturation([Lane("127.0.0.1", "SELECT", "QUORUM", STREAMS, [1, 2])], 4)
    load = PacedLoad(saturation, lambda: 0.0)
    windows = [load.window(0.3, 0.0) for _ in range(2)]
    for window in windows:
        assert window.answered > 40 and abs(window.answered - window.rejected) <= 4
    assert sum(window.answered + window.rejected for window in windows) == len(node.keys)
    assert saturation.lanes[0].unanswered == 0
    load.close()
    saturation.close()
    node.close()


def test_with_nothing_to_send_time_passes():
    begun = time.perf_counter()
    PacedLoad(None, lambda: 0.0).window(0.2, 0.1)
    assert time.perf_counter() - begun >= 0.2
