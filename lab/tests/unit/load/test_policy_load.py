# SPDX-License-Identifier: Apache-2.0
"""A fixed number of requests under way through a driver's session."""

import threading
from itertools import count
from pathlib import Path
from types import SimpleNamespace

from isotherm_lab.load.policy_load import PolicyLoop
from isotherm_lab.load.recorder import Recorder
from isotherm_lab.measure import samples


class Answer:
    """A future that is answered, or fails, at once or when it is told to."""

    def __init__(self, error: Exception | None = None, at_once: bool = True):
        self.attempted_hosts = [SimpleNamespace(address="127.0.0.2")]
        self.coordinator_host = None
        self._error, self._at_once = error, at_once

    def add_callbacks(self, callback, errback, callback_args, errback_args) -> None:
        self._callbacks = (callback, callback_args, errback, errback_args)
        if self._at_once:
            self.come()

    def come(self) -> None:
        callback, arguments, errback, errback_arguments = self._callbacks
        if self._error is None:
            callback([], *arguments)
        else:
            errback(self._error, *errback_arguments)


def loop_over(answers, folder: Path) -> tuple[PolicyLoop, Recorder, list[int]]:
    """Return a loop whose session answers so; it stops when there are no more answers."""
    keys: list[int] = []

    def execute_async(_statement, parameters):
        keys.append(*parameters)
        answer = next(answers, None)
        if answer is None:
            loop.stopping.set()
            return Answer()
        return answer

    recorder = Recorder(folder)
    session = SimpleNamespace(execute_async=execute_async)
    loop = PolicyLoop(session, SimpleNamespace(), count(), recorder)
    return loop, recorder, keys


def recorded(recorder: Recorder, folder: Path):
    recorder.close()
    return samples.read(folder / "requests.bin")


def test_an_answer_that_is_there_at_once_sends_the_next_without_deeper_calls(tmp_path: Path):
    loop, recorder, keys = loop_over((Answer() for _ in range(5000)), tmp_path)
    loop.run(1, patience_s=1)
    records = recorded(recorder, tmp_path)
    assert keys == list(range(5001))
    assert records.size == 5001
    assert set(records["outcome"]) == {samples.ANSWERED} and set(records["coordinator"]) == {2}


def test_as_many_are_under_way_as_there_should_be_and_one_that_comes_later_sends_one_more(tmp_path: Path):
    late = [Answer(at_once=False) for _ in range(5)]
    loop, recorder, keys = loop_over(iter(late), tmp_path)
    thread = threading.Thread(target=loop.run, args=(3, 0.1))
    thread.start()
    while len(keys) < 3:
        thread.join(0.01)
    late[1].come()
    assert len(keys) == 4
    loop.stopping.set()
    late[0].come()
    assert len(keys) == 4
    thread.join()
    assert recorded(recorder, tmp_path).size == 2


def test_a_failure_is_recorded_and_comes_again_from_the_thread_that_waits(tmp_path: Path):
    failing = [Answer(ValueError("no host")), Answer(at_once=True)]
    loop, recorder, _ = loop_over(iter(failing), tmp_path)
    loop.run(1, patience_s=1)
    assert recorded(recorder, tmp_path)["outcome"].tolist() == [1, samples.ANSWERED, samples.ANSWERED]
    assert recorder.counts == {"ValueError": 1}


def test_a_request_that_is_answered_twice_is_recorded_once_and_sends_one_more(tmp_path: Path):
    twice = Answer(at_once=False)
    loop, recorder, keys = loop_over(iter([twice, Answer(at_once=False)]), tmp_path)
    thread = threading.Thread(target=loop.run, args=(1, 0.1))
    thread.start()
    while not keys:
        thread.join(0.01)
    twice.come()
    twice.come()
    loop.stopping.set()
    thread.join()
    assert keys == [0, 1]
    assert recorded(recorder, tmp_path).size == 1
