# SPDX-License-Identifier: Apache-2.0
"""Requests as fast as they go for some seconds, and what became of each."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from cassandra.cluster import Session
from partition_limits import RateLimited

_IN_FLIGHT = 16
#: A partition that nobody asks for, as while this machine stands still, saves up no more than that of its limit.
_SAVED_S = 0.4


@dataclass
class Outcomes:
    """The numbers of the requests by what their client was told, and the seconds that they took together."""

    acknowledged: set[int] = field(default_factory=set)
    rejected: set[int] = field(default_factory=set)
    #: How many rejections had each message.
    reasons: Counter[str] = field(default_factory=Counter)
    #: Timeouts and the like: they may have been done or not.
    uncertain: dict[int, Exception] = field(default_factory=dict)
    seconds: float = 0
    #: Of these the time in which a limit of partitions counts: between two outcomes at most what it saves up.
    counted_s: float = 0
    _last_s: float = field(default_factory=time.monotonic)

    def __len__(self) -> int:
        return len(self.acknowledged) + len(self.rejected) + len(self.uncertain)

    def record(self, number: int, error: Exception | None) -> None:
        now_s = time.monotonic()
        self.counted_s += min(now_s - self._last_s, _SAVED_S)
        self._last_s = now_s
        if error is None:
            self.acknowledged.add(number)
        elif isinstance(error, RateLimited):
            self.rejected.add(number)
            self.reasons[error.message] += 1
        else:
            self.uncertain[number] = error


def hammer(
    sessions: Sequence[Session],
    request: Callable[[int], object],
    *,
    seconds: float = 0,
    at_least: int = 1,
    over: Callable[[], bool] = lambda: True,
    in_flight: int = _IN_FLIGHT,
    numbers: count | None = None,
) -> Outcomes:
    """Send request(0), request(1) ... through the sessions in turn, some at a time, until all bounds are met.

    `numbers` continues those of an earlier call.
    """
    outcomes, lock, room = Outcomes(), threading.Lock(), threading.Semaphore(in_flight)
    numbers = numbers or count()
    began = time.monotonic()
    sent = 0
    while sent < at_least or time.monotonic() - began < seconds or not over():
        room.acquire()
        _send(sessions[sent % len(sessions)], request, next(numbers), outcomes, lock, room)
        sent += 1
    for _ in range(in_flight):
        room.acquire()
    outcomes.seconds = time.monotonic() - began
    return outcomes


def _send(session: Session, request: Callable[[int], object], number: int, outcomes: Outcomes, lock, room) -> None:
    def done(error: Exception | None) -> None:
        with lock:
            outcomes.record(number, error)
        room.release()

    future = session.execute_async(request(number))
    future.add_callbacks(lambda rows: done(None), done)
