# SPDX-License-Identifier: Apache-2.0
"""The program of an application: a fixed number of requests under way through a driver and one of its policies.

Run as `python -m isotherm_lab.load.policy_load SETTINGS.json`. It reads until its standard input closes, and prints one
line of JSON a second for whoever watches.
"""

import gc
import json
import queue
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
from cassandra.cluster import Session
from cassandra.query import PreparedStatement

from isotherm_lab.load.driver_policies import connected_by
from isotherm_lab.load.recorder import Recorder
from isotherm_lab.load.settings import LoadSettings
from isotherm_lab.load.timed_request import TimedRequest
from isotherm_lab.load.told_to_stop import stop_when_told

_KEYS_AHEAD = 100_000
#: What failed comes again so much later: a cluster that refuses everything is not asked ever faster.
_PAUSE_S = 0.05


@dataclass(frozen=True)
class PolicyLoadSettings(LoadSettings):
    """What to read by which policy, how many reads at a time, and where to write what was measured."""

    policy: str
    #: A query with one bigint parameter, the key.
    statement: str
    in_flight: int
    keys: int
    seed: int
    consistency: str
    timeout_s: float = 10.0


class PolicyLoop:
    """A fixed number of requests under way; the answer to one sends the next, in the thread that hears of it."""

    def __init__(self, session: Session, statement: PreparedStatement, keys: Iterator[int], recorder: Recorder):
        self._session = session
        self._statement = statement
        self._keys = keys
        self._recorder = recorder
        self._here = threading.local()
        self._to_come_again: queue.SimpleQueue[float] = queue.SimpleQueue()
        self._under_way = 0
        self._changed = threading.Condition()
        self.stopping = threading.Event()

    def run(self, in_flight: int, patience_s: float) -> None:
        """Send until `stopping` is set, then wait for the answers still due, at most so long."""
        for _ in range(in_flight):
            self._next()
        while not self.stopping.wait(_PAUSE_S):
            for _ in range(self._to_come_again.qsize()):
                self._to_come_again.get()
                self._next()
        with self._changed:
            self._changed.wait_for(lambda: self._under_way == 0, timeout=patience_s)

    def _next(self) -> None:
        """Send one more.

        The driver calls back at once where the answer is there already. This thread is then sending further up its
        stack, and sends the next from there: calls do not pile up.
        """
        here = self._here.__dict__
        here["due"] = here.get("due", 0) + 1
        if here["due"] > 1:
            return
        while here["due"]:
            self._send()
            here["due"] -= 1

    def _send(self) -> None:
        with self._changed:
            if self.stopping.is_set():
                return
            self._under_way += 1
        sent = time.time()
        try:
            future = self._session.execute_async(self._statement, (next(self._keys),))
        except Exception as error:
            self._failed(error, TimedRequest(sent, None))
            return
        # The driver's own cycles stay: collecting them is part of what an application pays.
        request = TimedRequest(sent, future)
        future.add_callbacks(self._answered, self._failed, callback_args=(request,), errback_args=(request,))

    def _answered(self, _rows: object, request: TimedRequest) -> None:
        if not request.first_told():
            return
        self._recorder.answered(request.intended_us, request.latency_us(), request.coordinator())
        self._finish()
        self._next()

    def _failed(self, error: BaseException, request: TimedRequest) -> None:
        if not request.first_told():
            return
        self._recorder.failed(request.intended_us, request.latency_us(), request.coordinator(), error)
        self._finish()
        self._to_come_again.put(time.time())

    def _finish(self) -> None:
        with self._changed:
            self._under_way -= 1
            if self._under_way == 0:
                self._changed.notify_all()


def serve(settings: PolicyLoadSettings) -> None:
    """Run the load until standard input closes."""
    recorder = Recorder(Path(settings.directory))
    keys = np.random.default_rng(settings.seed).integers(0, settings.keys, _KEYS_AHEAD)
    points, level, timeout_s = settings.contact_points, settings.consistency, settings.timeout_s
    with connected_by(settings.policy, points, level, timeout_s) as session:
        statement = session.prepare(settings.statement)
        statement.is_idempotent = True
        loop = PolicyLoop(session, statement, cycle(keys.tolist()), recorder)

        def report() -> None:
            while not loop.stopping.wait(1.0):
                line = {"finished": int(recorder.flush().size), "errors": dict(recorder.counts)}
                print(json.dumps(line), flush=True)

        gc.collect()
        gc.freeze()
        stop_when_told(loop.stopping)
        reporter = threading.Thread(target=report, daemon=True)
        reporter.start()
        loop.run(settings.in_flight, patience_s=timeout_s + 1)
        reporter.join()
    recorder.close()


if __name__ == "__main__":
    serve(PolicyLoadSettings.read(sys.argv[1]))
