# SPDX-License-Identifier: Apache-2.0
"""Saturating load: a fixed number of reads always in flight, the next sent when one is answered.

A closed loop says nothing about latency, but keeps the nodes as busy as they can be: what it counts is throughput.
"""

import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from isotherm_lab.errors import LabError
from isotherm_lab.load.cql_connection import CqlConnection, Prepared, answers

_RECEIVE_BYTES = 1 << 18
_DRAIN_SECONDS = 10


@dataclass(frozen=True)
class Window:
    """What was measured between two moments: answered reads, seconds, CPU seconds of the nodes and of this process."""

    reads: int
    seconds: float
    cpu_s: float
    client_cpu_s: float

    @property
    def per_s(self) -> float:
        """Reads per second."""
        return self.reads / self.seconds

    @property
    def cpu_us_per_read(self) -> float:
        """CPU microseconds that all nodes together spent per read."""
        return self.cpu_s / self.reads * 1e6


class Lane:
    """One connection with its share of the reads in flight; each `strange_every`-th asks for a key never written."""

    def __init__(self, connection: CqlConnection, in_flight: int, keys: np.ndarray):
        self.connection = connection
        self._in_flight = in_flight
        self._keys = keys.astype(">i8").tobytes()
        self._at = 0
        self._strange_key = 2**40
        self._strange_every = 0
        self._until_strange = 0
        self._rest = b""
        self.unanswered = 0

    def prepare(self, read: Prepared, strange: Prepared | None = None, strange_every: int = 0) -> None:
        """Send this read from now on, and this other one for keys never written (0: none)."""
        self._heads = [read.head(stream) for stream in range(self._in_flight)]
        self._strange_heads = [strange.head(stream) for stream in range(self._in_flight)] if strange else []
        self._strange_every = self._until_strange = strange_every if strange else 0

    def begin(self) -> None:
        """Send as many reads as are to be in flight."""
        self._send(range(self._in_flight))

    def receive(self, going_on: bool) -> int:
        """Take in what has come; send the next reads when going on. Return the number of answers."""
        data = self.connection.socket.recv(_RECEIVE_BYTES)
        if not data:
            raise LabError(f"{self.connection.address} closed the connection under load.")
        data = self._rest + data if self._rest else data
        streams, used = answers(data)
        self._rest = data[used:]
        self.unanswered -= len(streams)
        if going_on and streams:
            self._send(streams)
        return len(streams)

    def _send(self, streams: Sequence[int]) -> None:
        parts = []
        for stream in streams:
            if self._strange_every:
                self._until_strange -= 1
                if self._until_strange == 0:
                    self._until_strange = self._strange_every
                    self._strange_key += 1
                    parts += self._strange_heads[stream], self._strange_key.to_bytes(8, "big")
                    continue
            parts += self._heads[stream], self._keys[self._at : self._at + 8]
            self._at = (self._at + 8) % len(self._keys)
        self.unanswered += len(parts) // 2
        self.connection.socket.sendall(b"".join(parts))


class ClosedLoop:
    """Load over several lanes; nothing is in flight between two windows."""

    def __init__(self, lanes: Sequence[Lane], cpu_seconds: Callable[[], float]):
        self.lanes = lanes
        self._cpu_seconds = cpu_seconds
        self._selector = selectors.DefaultSelector()
        for lane in lanes:
            self._selector.register(lane.connection.socket, selectors.EVENT_READ, lane)

    def window(self, seconds: float, discarded_s: float) -> Window:
        """Load for that long and measure all but the first `discarded_s`."""
        for lane in self.lanes:
            lane.begin()
        start = time.perf_counter()
        self._receive_until(start + discarded_s)
        cpu, client, begun = self._cpu_seconds(), time.process_time(), time.perf_counter()
        reads = self._receive_until(start + seconds)
        ended, client, cpu = time.perf_counter(), time.process_time() - client, self._cpu_seconds() - cpu
        self._drain()
        return Window(reads, ended - begun, cpu, client)

    def _receive_until(self, end: float) -> int:
        reads = 0
        while (left := end - time.perf_counter()) > 0:
            for key, _ in self._selector.select(left):
                reads += key.data.receive(going_on=True)
        return reads

    def _drain(self) -> None:
        deadline = time.perf_counter() + _DRAIN_SECONDS
        while due := sum(lane.unanswered for lane in self.lanes):
            if time.perf_counter() > deadline:
                raise LabError(f"{due} reads were not answered within {_DRAIN_SECONDS} s.")
            for key, _ in self._selector.select(0.1):
                key.data.receive(going_on=False)

    def close(self) -> None:
        """Close the connections."""
        self._selector.close()
        for lane in self.lanes:
            lane.connection.close()
