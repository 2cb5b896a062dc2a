# SPDX-License-Identifier: Apache-2.0
import itertools
import time
from collections.abc import Callable, Iterator, Sequence

import pytest
from fake_node import FakeNode, error

from isotherm_lab.errors import LabError
from isotherm_lab.load.closed_loop import ClosedLoop
from isotherm_lab.load.cql_connection import CONFIGURATION_ERROR
from isotherm_lab.load.fixed_rate import FixedRate
from isotherm_lab.load.pipeline import Answer, Pipeline
from isotherm_lab.load.traffic import Pacing
from isotherm_lab.load.windows import Window, WindowedLoad
from isotherm_lab.measure.thread_use import Use

STREAMS = 4096
TOO_HOT = error(CONFIGURATION_ERROR, "too hot")


@pytest.fixture
def windowed() -> Iterator[Callable]:
    """Return a function that makes a load of a fake node; `pacing` makes its pacing of one pipeline."""
    made = []

    def load(
        answer, keys: list[int], pacing: Callable[[Pipeline], Pacing], cpu_seconds=None, **more
    ) -> tuple[WindowedLoad, FakeNode]:
        node = FakeNode(answer)
        seconds = itertools.count()
        pipeline = Pipeline.of_statement("127.0.0.1", "SELECT", "QUORUM", STREAMS, keys, node.port)
        load = WindowedLoad(pacing(pipeline), cpu_seconds or (lambda: float(next(seconds))), **more)
        made.extend((load, node))
        return load, node

    yield load
    for each in made:
        each.close()


def rate(per_s: float) -> Callable[[Pipeline], FixedRate]:
    return lambda pipeline: FixedRate([pipeline], per_s)


def saturating(in_flight: int) -> Callable[[Pipeline], ClosedLoop]:
    return lambda pipeline: ClosedLoop([pipeline], in_flight)


class Counted(FixedRate):
    """Counts the answers that came before the measured part of each window, and in it.

    The nodes' processor time is read where that part begins, and where it ends.
    """

    def __init__(self, pipelines: Sequence[Pipeline], per_s: float):
        super().__init__(pipelines, per_s)
        self._answers = 0
        self._readings = [0]

    def release(self, pipeline: Pipeline, answers: Sequence[Answer], now: float) -> None:
        super().release(pipeline, answers, now)
        self._answers += len(answers)

    def cpu_seconds(self) -> float:
        self._readings.append(self._answers)
        return 0.0

    def windows(self) -> list[tuple[int, int]]:
        ended, begun = self._readings[::2], self._readings[1::2]
        return [(cut - before, after - cut) for before, cut, after in zip(ended, begun, ended[1:], strict=False)]


def counted_at(per_s: float, windowed: Callable, **more) -> tuple[WindowedLoad, Counted]:
    made: list[Counted] = []

    def pacing(pipeline: Pipeline) -> Counted:
        made.append(Counted([pipeline], per_s))
        return made[0]

    load, _ = windowed(lambda key: b"", [1], pacing, lambda: made[0].cpu_seconds(), to_the_last=True, **more)
    return load, made[0]


def first_with(enough: Callable[[Window], bool], window: Callable[[], Window]) -> list[Window]:
    """Return windows up to the first that has enough: in some of them the machine may have been held up."""
    until = time.monotonic() + 60
    windows = [window()]
    while not enough(windows[-1]) and time.monotonic() < until:
        windows.append(window())
    assert enough(windows[-1])
    return windows


def test_what_is_offered_is_the_rate_whatever_becomes_of_it(windowed):
    answers = {2: TOO_HOT}
    load, _ = windowed(
        lambda key: answers.get(key, b""), [1, 2], rate(400), rejections_expected=True, to_the_last=True
    )  # fmt: skip
    window = load.window(1.0, 0.0)
    # Every read that was due is sent, however late: 400 of them, and one at the last moment.
    assert 400 <= window.answered + window.rejected <= 401
    assert abs(window.answered - window.rejected) <= 1
    assert window.cpu_s == 1.0


def test_what_came_before_is_not_counted(windowed):
    load, counted = counted_at(400, windowed)
    # How many are answered in the first half is the machine's affair: none, where it is held up as long.
    windows = first_with(lambda _: counted.windows()[-1][0] > 0, lambda: load.window(0.4, 0.2))
    assert [window.answered for window in windows] == [measured for _, measured in counted.windows()]


def test_a_failure_that_is_no_rejection_ends_the_measurement(windowed):
    load, _ = windowed(lambda key: error(0x1200, "timed out"), [1], rate(100), rejections_expected=True)
    with pytest.raises(LabError, match="timed out"):
        load.window(5.0, 0.0)


def test_a_rejection_that_nobody_expects_ends_it_too(windowed):
    load, _ = windowed(lambda key: TOO_HOT, [1], saturating(2))
    with pytest.raises(LabError, match="too hot"):
        load.window(5.0, 0.0)


def test_saturation_keeps_so_many_in_flight_and_leaves_none(windowed):
    made = []

    def pacing(pipeline: Pipeline) -> ClosedLoop:
        made.append(pipeline)
        return ClosedLoop([pipeline], 4)

    load, node = windowed(
        lambda key: TOO_HOT if key == 2 else b"", [1, 2], pacing, rejections_expected=True, to_the_last=True
    )  # fmt: skip
    # More than twice as many as are in flight: an answer makes the next request.
    windows = [load.window(0.3, 0.0), *first_with(lambda window: window.answered > 40, lambda: load.window(0.3, 0.0))]
    for window in windows:
        assert abs(window.answered - window.rejected) <= 4
    assert sum(window.answered + window.rejected for window in windows) == len(node.keys)
    assert made[0].unanswered == 0


def test_a_window_that_ends_with_its_time_leaves_what_is_still_under_way_uncounted(windowed):
    load, node = windowed(lambda key: b"", [1], saturating(4))
    begun = time.perf_counter()
    windows = [load.window(0.3, 0.0), *first_with(lambda window: window.answered > 40, lambda: load.window(0.3, 0.0))]
    elapsed_s = time.perf_counter() - begun
    answered = sum(window.answered for window in windows)
    assert len(node.keys) - len(windows) * 4 <= answered <= len(node.keys)
    assert windows[0].per_s == pytest.approx(windows[0].answered / windows[0].seconds)
    assert 0 < sum(window.seconds for window in windows) <= elapsed_s


def test_a_node_that_does_not_keep_up_with_the_rate_ends_the_measurement(windowed):
    load, _ = windowed(lambda key: time.sleep(0.5) or b"", [1], lambda pipeline: FixedRate([pipeline], 20_000))
    with pytest.raises(LabError, match=f"leaves {STREAMS} reads unanswered"):
        load.window(5.0, 0.0)


def test_with_nothing_to_send_time_passes():
    begun = time.perf_counter()
    assert WindowedLoad(ClosedLoop([], 0), lambda: 0.0).window(0.2, 0.1).answered == 0
    assert time.perf_counter() - begun >= 0.2


def test_what_threads_spent_is_that_of_the_whole_window(windowed):
    spent = ({("7", "1"): ("others", Use(0.5 * number, 20 * number))} for number in itertools.count())
    load, counted = counted_at(400, windowed, threads=lambda: next(spent))
    # Some are answered in the part that is discarded, unless the machine is held up for all of it.
    windows = first_with(lambda _: counted.windows()[-1][0] > 0, lambda: load.window(0.6, 0.5))
    for window, (discarded, measured) in zip(windows, counted.windows(), strict=True):
        assert window.spent.by_group["others"] == Use(0.5, 20)
        assert window.answered == measured
        assert window.spent.operations == discarded + measured
        assert window.spent.operations in (240, 241)
        assert window.spent.seconds >= 0.6
        assert window.seconds < window.spent.seconds


def test_threads_are_not_read_unless_it_is_asked_for(windowed):
    load, _ = windowed(lambda key: b"", [1], rate(400))
    assert load.window(0.1, 0.0).spent is None
