# SPDX-License-Identifier: Apache-2.0
"""Reads at a fixed rate, whatever becomes of them, and the processor time that the nodes spend meanwhile."""

import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from isotherm_lab.cql_connection import CONFIGURATION_ERROR, code, message
from isotherm_lab.errors import LabError
from isotherm_lab.lane import Lane

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
        self.due = 0.0
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
        for stream, _, error in lane.receive():
            self._free[lane].append(stream)
            if not error:
                self.answered += 1
            elif code(error) == CONFIGURATION_ERROR:
                self.rejected += 1
            else:
                raise LabError(f"A read failed: {message(error)}")

    def close(self) -> None:
        """Close the connections."""
        for lane in self.lanes:
            lane.connection.close()


class PacedLoad:
    """One pace that is measured, or none, and perhaps another beside it; nothing is in flight between two windows."""

    def __init__(self, measured: Pace | None, beside: Pace | None, cpu_seconds: Callable[[], float]):
        self._measured = measured
        self._paces = [pace for pace in (measured, beside) if pace]
        self._cpu_seconds = cpu_seconds
        self._selector = selectors.DefaultSelector()
        for pace in self._paces:
            for lane in pace.lanes:
                self._selector.register(lane.connection.socket, selectors.EVENT_READ, (pace, lane))

    def window(self, seconds: float, discarded_s: float) -> PacedWindow:
        """Send for that long and measure all but the first `discarded_s`."""
        start = time.perf_counter()
        for pace in self._paces:
            pace.due = start
        self._send_until(start + discarded_s)
        answered, rejected = self._counts()
        cpu, client, begun = self._cpu_seconds(), time.process_time(), time.perf_counter()
        self._send_until(start + seconds)
        # Those still in flight are part of what was sent; at a rate that the nodes bear they are few.
        self._drain()
        ended, client, cpu = time.perf_counter(), time.process_time() - client, self._cpu_seconds() - cpu
        return PacedWindow(self._counts()[0] - answered, self._counts()[1] - rejected, ended - begun, cpu, client)

    def _counts(self) -> tuple[int, int]:
        return (self._measured.answered, self._measured.rejected) if self._measured else (0, 0)

    def _send_until(self, end: float) -> None:
        while (now := time.perf_counter()) < end:
            for pace in self._paces:
                pace.send(now)
            wake = min([end, *(pace.due for pace in self._paces)])
            self._receive(max(0.0, wake - time.perf_counter()))

    def _receive(self, timeout_s: float) -> None:
        for key, _ in self._selector.select(timeout_s):
            pace, lane = key.data
            pace.receive(lane)

    def _drain(self) -> None:
        deadline = time.perf_counter() + _DRAIN_SECONDS
        while due := sum(lane.unanswered for pace in self._paces for lane in pace.lanes):
            if time.perf_counter() > deadline:
                raise LabError(f"{due} reads were not answered within {_DRAIN_SECONDS} s.")
            self._receive(0.1)

    def close(self) -> None:
        """Listen no more; the connections stay open."""
        self._selector.close()
