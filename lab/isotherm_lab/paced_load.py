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


class PacedLoad:
    """Reads sent in turn over several lanes, evenly spaced; nothing is in flight between two windows."""

    def __init__(self, lanes: Sequence[Lane], rate: float, cpu_seconds: Callable[[], float]):
        self._lanes = lanes
        self._gap_s = 1 / rate
        self._cpu_seconds = cpu_seconds
        self._free = {lane: list(range(STREAMS)) for lane in lanes}
        self._turn = 0
        self._answered = self._rejected = 0
        self._selector = selectors.DefaultSelector()
        for lane in lanes:
            self._selector.register(lane.connection.socket, selectors.EVENT_READ, lane)

    def window(self, seconds: float, discarded_s: float) -> PacedWindow:
        """Send for that long and measure all but the first `discarded_s`."""
        start = time.perf_counter()
        self._next = start
        self._send_until(start + discarded_s)
        answered, rejected = self._answered, self._rejected
        cpu, client, begun = self._cpu_seconds(), time.process_time(), time.perf_counter()
        self._send_until(start + seconds)
        # Those still in flight are part of what was sent; at a rate that the nodes bear they are few.
        self._drain()
        ended, client, cpu = time.perf_counter(), time.process_time() - client, self._cpu_seconds() - cpu
        return PacedWindow(self._answered - answered, self._rejected - rejected, ended - begun, cpu, client)

    def _send_until(self, end: float) -> None:
        while (now := time.perf_counter()) < end:
            while self._next <= now:
                self._send(now)
                self._next += self._gap_s
            self._receive(max(0.0, min(self._next, end) - time.perf_counter()))

    def _send(self, now: float) -> None:
        lane = self._lanes[self._turn]
        self._turn = (self._turn + 1) % len(self._lanes)
        if not self._free[lane]:
            raise LabError(f"{lane.connection.address} leaves {STREAMS} reads unanswered: offer fewer a second.")
        lane.send([self._free[lane].pop()], now)

    def _receive(self, timeout_s: float) -> None:
        for key, _ in self._selector.select(timeout_s):
            lane: Lane = key.data
            for stream, _, error in lane.receive():
                self._free[lane].append(stream)
                if not error:
                    self._answered += 1
                elif code(error) == CONFIGURATION_ERROR:
                    self._rejected += 1
                else:
                    raise LabError(f"A read failed: {message(error)}")

    def _drain(self) -> None:
        deadline = time.perf_counter() + _DRAIN_SECONDS
        while due := sum(lane.unanswered for lane in self._lanes):
            if time.perf_counter() > deadline:
                raise LabError(f"{due} reads were not answered within {_DRAIN_SECONDS} s.")
            self._receive(0.1)

    def close(self) -> None:
        """Close the connections."""
        self._selector.close()
        for lane in self._lanes:
            lane.connection.close()
