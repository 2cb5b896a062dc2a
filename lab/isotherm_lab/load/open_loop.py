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
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cassandra.cluster import EXEC_PROFILE_DEFAULT, ExecutionProfile, ResponseFuture, Session
from cassandra.query import PreparedStatement, tuple_factory

from isotherm_lab.cluster.client import connected
from isotherm_lab.load import arrivals
from isotherm_lab.load.collector import no_collections
from isotherm_lab.load.recorder import Recorder
from isotherm_lab.load.settings import LoadSettings
from isotherm_lab.load.told_to_stop import stop_when_told
from isotherm_lab.measure import samples
from isotherm_lab.measure.last_octet import last_octet

#: Gives a request's future, which the driver has for as long as its callbacks run; none if it was not sent.
Request = Callable[[], ResponseFuture | None]


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
            self._failed(error, intended, lambda: None)
            return
        told = (intended, weakref.ref(future))
        future.add_callbacks(self._answered, self._failed, callback_args=told, errback_args=told)

    def _answered(self, _rows: object, intended: float, request: Request) -> None:
        latency_us = int((time.time() - intended) * 1e6)
        self._recorder.answered(int(intended * 1e6), latency_us, coordinator(request()))
        self._finish(request())

    def _failed(self, error: BaseException, intended: float, request: Request) -> None:
        latency_us = int((time.time() - intended) * 1e6)
        self._recorder.failed(int(intended * 1e6), latency_us, coordinator(request()), error)
        self._finish(request())

    def _finish(self, future: ResponseFuture | None) -> None:
        if future:
            # The driver has cancelled it, but leaves it where it is; it holds the future in its turn.
            future._timer = None
        self._places.release()
        with self._changed:
            self._unfinished -= 1
            if self._unfinished == 0:
                self._changed.notify_all()


def coordinator(future: ResponseFuture | None) -> int:
    """Return, as records name it, the node that the driver asked first; whoever answers when it did not."""
    # The answer may come before the driver has noted whom it asked.
    asked = future and (future.attempted_hosts[:1] or [future.coordinator_host])[0]
    return last_octet(asked.address) if asked else samples.NOT_RECORDED


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
