# SPDX-License-Identifier: Apache-2.0
"""Load in windows: what nodes answer between two moments, and the processor time that they spend meanwhile."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from isotherm_lab.errors import LabError
from isotherm_lab.load.cql_connection import is_rejection, message
from isotherm_lab.load.pipeline import Answer
from isotherm_lab.load.traffic import Pacing, Traffic
from isotherm_lab.measure.thread_use import Reading, Use, between

_DRAIN_SECONDS = 10


@dataclass(frozen=True)
class Spent:
    """What the nodes' threads spent by their group, in a whole window, with what is discarded of it otherwise.

    To read what hundreds of threads have spent takes some ten milliseconds, in which nothing is sent or received.
    """

    seconds: float
    operations: int
    by_group: Mapping[str, Use]


@dataclass(frozen=True)
class Window:
    """What was measured between two moments: requests, seconds, CPU seconds of all nodes and of this process."""

    answered: int
    rejected: int
    seconds: float
    cpu_s: float
    client_cpu_s: float
    #: Nothing unless it was asked for.
    spent: Spent | None = None

    @property
    def per_s(self) -> float:
        """Answers per second."""
        return self.answered / self.seconds

    @property
    def cpu_us_each(self) -> float:
        """CPU microseconds that all nodes together spent per answer."""
        return self.cpu_s / self.answered * 1e6

    @property
    def client_cpu_us_each(self) -> float:
        """CPU microseconds that this process spent per answer."""
        return self.client_cpu_s / self.answered * 1e6


class WindowedLoad:
    """A load that is measured in windows; nothing is under way between two of them.

    A failure raises LabError, and so does a rejection unless they are expected. A window ends when its time is over,
    or, `to_the_last`, when everything sent in it is answered.
    """

    def __init__(
        self,
        pacing: Pacing,
        cpu_seconds: Callable[[], float],
        *,
        rejections_expected: bool = False,
        to_the_last: bool = False,
        threads: Callable[[], Reading] | None = None,
    ):
        self._traffic = Traffic(pacing, self._count)
        self._cpu_seconds = cpu_seconds
        self._rejections_expected = rejections_expected
        self._to_the_last = to_the_last
        self._threads = threads
        self._answered = self._rejected = 0

    def window(self, seconds: float, discarded_s: float) -> Window:
        """Load for that long and measure all but the first `discarded_s`."""
        if self._threads is None:
            return self._window(seconds, discarded_s)
        before, done, begun = self._threads(), self._answered + self._rejected, time.perf_counter()
        window = self._window(seconds, discarded_s)
        ended, done = time.perf_counter(), self._answered + self._rejected - done
        return replace(window, spent=Spent(ended - begun, done, between(before, self._threads())))

    def _window(self, seconds: float, discarded_s: float) -> Window:
        start = self._traffic.begin()
        self._traffic.run_until(start + discarded_s)
        answered, rejected = self._answered, self._rejected
        cpu, client, begun = self._cpu_seconds(), time.process_time(), time.perf_counter()
        self._traffic.run_until(start + seconds)
        if self._to_the_last:
            self._drain()
        ended, client, cpu = time.perf_counter(), time.process_time() - client, self._cpu_seconds() - cpu
        answered, rejected = self._answered - answered, self._rejected - rejected
        self._drain()
        return Window(answered, rejected, ended - begun, cpu, client)

    def _count(self, answers: Sequence[Answer], _now: float) -> None:
        rejected = 0
        for _, _, error in answers:
            if error:
                if not (self._rejections_expected and is_rejection(error)):
                    raise LabError(f"A request failed: {message(error)}")
                rejected += 1
        self._answered += len(answers) - rejected
        self._rejected += rejected

    def _drain(self) -> None:
        if left := self._traffic.drain(_DRAIN_SECONDS):
            raise LabError(f"{left} requests were not answered within {_DRAIN_SECONDS} s.")

    def close(self) -> None:
        """Close the connections."""
        self._traffic.close()
