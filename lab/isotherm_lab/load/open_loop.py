# SPDX-License-Identifier: Apache-2.0
"""An open loop of requests, each timed from when it was to be sent.

An open loop does not wait for answers before it sends the next request, and a request that had to wait (for a slow
cluster, or for this process) counts from its intended time. So a stall is seen in full: there is no coordinated
omission.

Python's garbage collector does not run meanwhile. It would stop this process for 40 to 200 ms now and then, the longer
the more requests have waited, and whatever was sent or answered in that time would count as if the nodes had been late.
So a request that is over leaves no cycle of objects: its callbacks hold neither the driver's future nor the future its
timer, and rows are tuples, for the driver makes a class for each response otherwise.

The programs that run one (read_load.py, counter_load.py) go on until their standard input closes, and print one line of
JSON a second for whoever watches.
"""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cassandra.cluster import EXEC_PROFILE_DEFAULT, ExecutionProfile, Session
from cassandra.query import PreparedStatement, tuple_factory

from isotherm_lab.cluster.client import connected
from isotherm_lab.load import arrivals
from isotherm_lab.load.collector import no_collections
from isotherm_lab.load.recorder import Recorder
from isotherm_lab.load.settings import LoadSettings
from isotherm_lab.load.timed_request import TimedRequest
from isotherm_lab.load.told_to_stop import stop_when_told
from isotherm_lab.measure import samples


@dataclass(frozen=True)
class OpenLoopSettings(LoadSettings):
    """How many requests a second, for which of so many keys."""

    rate: float
    keys: int
    seed: int
    consistency: str = "QUORUM"
    poisson: bool = True
    max_in_flight: int = 4000
    timeout_s: float = 10.0
    #: Whether the driver may send a request again whose outcome it does not know.
    repeat: bool = True
    #: Whether no node but the contact points is a coordinator.
    only: bool = False


class OpenLoop:
    """Sends requests by the schedule until told to stop."""

    def __init__(self, settings: OpenLoopSettings, recorder: Recorder):
        self._settings = settings
        self._recorder = recorder
        self._places = threading.BoundedSemaphore(settings.max_in_flight)
        self._unfinished = 0
        self._changed = threading.Condition()
        self.stopping = threading.Event()
        self.sent = 0

    @property
    def in_flight(self) -> int:
        """Requests sent and not finished."""
        return self._unfinished

    def run(self, session: Session, statement: PreparedStatement) -> None:
        """Send until `stopping` is set, then wait for the answers still due; the statement's parameter is the key."""
        profile = session.execution_profile_clone_update(EXEC_PROFILE_DEFAULT, row_factory=tuple_factory)
        plan = self._settings
        with no_collections():
            start = time.time() + 0.2
            for offset, key in arrivals.schedule(plan.rate, plan.keys, plan.seed, plan.poisson):
                intended = start + offset
                early = intended - time.time()
                if early > 0 and self.stopping.wait(early):
                    break
                if self.stopping.is_set():
                    break
                self._send(session, statement, key, intended, profile)
            with self._changed:
                self._changed.wait_for(lambda: self._unfinished == 0, timeout=plan.timeout_s + 1)

    def _send(
        self, session: Session, statement: PreparedStatement, key: int, intended: float, profile: ExecutionProfile
    ) -> None:
        self._places.acquire()  # Waiting here is part of the latency: it counts from the intended time.
        with self._changed:
            self._unfinished += 1
        self.sent += 1
        try:
            future = session.execute_async(statement, (key,), execution_profile=profile)
        except Exception as error:
            self._failed(error, TimedRequest(intended, None))
            return
        told = (TimedRequest(intended, future),)
        future.add_callbacks(self._answered, self._failed, callback_args=told, errback_args=told)

    def _answered(self, _rows: object, request: TimedRequest) -> None:
        latency_us = request.latency_us()
        if request.first_told():
            self._recorder.answered(request.intended_us, latency_us, request.coordinator())
            self._finish(request)

    def _failed(self, error: BaseException, request: TimedRequest) -> None:
        latency_us = request.latency_us()
        if request.first_told():
            self._recorder.failed(request.intended_us, latency_us, request.coordinator(), error)
            self._finish(request)

    def _finish(self, request: TimedRequest) -> None:
        request.leave_no_cycle()
        self._places.release()
        with self._changed:
            self._unfinished -= 1
            if self._unfinished == 0:
                self._changed.notify_all()


def serve(settings: OpenLoopSettings, prepare: Callable[[Session], PreparedStatement]) -> None:
    """Run the load until standard input closes; `prepare` makes the statement, which has the key as its parameter."""
    recorder = Recorder(Path(settings.directory))
    loop = OpenLoop(settings, recorder)
    stop_when_told(loop.stopping)
    with connected(
        settings.contact_points, settings.consistency, settings.timeout_s, settings.repeat, settings.only
    ) as session:
        statement = prepare(session)
        reporter = threading.Thread(target=_report, args=(loop, recorder), daemon=True)
        reporter.start()
        loop.run(session, statement)
        reporter.join()
    recorder.close()


def _report(loop: OpenLoop, recorder: Recorder) -> None:
    while not loop.stopping.wait(1.0):
        block = recorder.flush()
        line = {
            "epoch_s": time.time(),
            "sent": loop.sent,
            "in_flight": loop.in_flight,
            "finished": int(block.size),
            "p50_ms": samples.percentile_ms(block, 50),
            "errors": dict(recorder.counts),
        }
        print(json.dumps(line), flush=True)
