# SPDX-License-Identifier: Apache-2.0
"""Reads at a fixed rate or as many as the nodes bear, and the processor time that the nodes spend meanwhile."""

import math
import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from isotherm_lab.errors import LabError
from isotherm_lab.load.cql_connection import CONFIGURATION_ERROR, code, message
from isotherm_lab.load.pipeline import Lane

#: Reads that may be unanswered at one node. More means that the nodes do not keep up, and then nothing is measured.
STREAMS = 4096
_DRAIN_SECONDS = 10


@dataclass(frozen=True)
class PacedWindow:
    """What was measured between two moments; cpu_s is of all nodes together."""

    answered: int
    rejected: int
    seconds: float
    cpu_s: float
    client_cpu_s: float


class Pace:
    """Reads sent in turn over several lanes, evenly spaced, and what became of them."""

    def __init__(self, lanes: Sequence[Lane], rate: float):
        self.lanes = lanes
        self._gap_s = 1 / rate
        self._free = {lane: list(range(STREAMS)) for lane in lanes}
        self._turn = 0
        #: When to send next; a window sets it to its beginning.
        self.due = math.inf
        self.answered = self.rejected = 0

    def send(self, now: float) -> None:
        """Send every read that is due."""
        while self.due <= now:
            lane = self.lanes[self._turn]
            self._turn = (self._turn + 1) % len(self.lanes)
            if not self._free[lane]:
                raise LabError(f"{lane.connection.address} leaves {STREAMS} reads unanswered: offer fewer a second.")
            lane.send([self._free[lane].pop()], now)
            self.due += self._gap_s

    def receive(self, lane: Lane) -> None:
        """Count what has come over one of the lanes; LabError for a failure that is no rejection."""
        self._free[lane] += self._counted(lane)

    def end(self) -> None:
        """Send no more."""
        self.due = math.inf

    def close(self) -> None:
        """Close the connections."""
        for lane in self.lanes:
            lane.connection.close()

    def _counted(self, lane: Lane) -> list[int]:
        """Count what has come and return the streams that are free again."""
        free = []
        for stream, _, error in lane.receive():
            free.append(stream)
            if not error:
                self.answered += 1
            elif code(error) == CONFIGURATION_ERROR:
                self.rejected += 1
            else:
                raise LabError(f"A read failed: {message(error)}")
        return free


class Saturation(Pace):
    """As many reads as the nodes answer: a fixed number in flight over each lane."""

    def __init__(self, lanes: Sequence[Lane], in_flight: int):
        super().__init__(lanes, math.inf)
        self._in_flight = range(in_flight)
        self._going_on = False

    def send(self, now: float) -> None:
        """Send the first reads; an answer makes the next."""
        if self.due <= now:
            self._going_on = True
            self.due = math.inf
            for lane in self.lanes:
                lane.send(self._in_flight, now)

    def receive(self, lane: Lane) -> None:
        """Count what has come and send as many again."""
        free = self._counted(lane)
        if free and self._going_on:
            lane.send(free, time.perf_counter())

    def end(self) -> None:
        """Send no more."""
        self._going_on = False


class PacedLoad:
    """A pace that is measured, or none, in which case time passes; nothing is in flight between two windows."""

    def __init__(self, pace: Pace | None, cpu_seconds: Callable[[], float]):
        self._pace = pace
        self._cpu_seconds = cpu_seconds
        self._selector = selectors.DefaultSelector()
        for lane in pace.lanes if pace else ():
            self._selector.register(lane.connection.socket, selectors.EVENT_READ, lane)

    def window(self, seconds: float, discarded_s: float) -> PacedWindow:
        """Send for that long and measure all but the first `discarded_s`."""
        start = time.perf_counter()
        if self._pace:
            self._pace.due = start
        self._send_until(start + discarded_s)
        answered, rejected = self._counts()
        cpu, client, begun = self._cpu_seconds(), time.process_time(), time.perf_counter()
        self._send_until(start + seconds)
        # Those still in flight are part of what was sent; at a rate that the nodes bear they are few.
        self._drain()
        ended, client, cpu = time.perf_counter(), time.process_time() - client, self._cpu_seconds() - cpu
        return PacedWindow(self._counts()[0] - answered, self._counts()[1] - rejected, ended - begun, cpu, client)

    def _counts(self) -> tuple[int, int]:
        return (self._pace.answered, self._pace.rejected) if self._pace else (0, 0)

    def _send_until(self, end: float) -> None:
        while (now := time.perf_counter()) < end:
            if self._pace:
                self._pace.send(now)
            wake = min(end, self._pace.due) if self._pace else end
            self._receive(max(0.0, wake - time.perf_counter()))

    def _receive(self, timeout_s: float) -> None:
        for key, _ in self._selector.select(timeout_s):
            self._pace.receive(key.data)

    def _drain(self) -> None:
        if not self._pace:
            return
        self._pace.end()
        deadline = time.perf_counter() + _DRAIN_SECONDS
        while due := sum(lane.unanswered for lane in self._pace.lanes):
            if time.perf_counter() > deadline:
                raise LabError(f"{due} reads were not answered within {_DRAIN_SECONDS} s.")
            self._receive(0.1)

    def close(self) -> None:
        """Listen no more; the connections stay open."""
        self._selector.close()
