# SPDX-License-Identifier: Apache-2.0
"""A closed loop: a fixed number of requests is under way, and an answer makes the next one.

It is what an application with a fixed number of threads does. It says nothing about latency, but with enough requests
it keeps nodes as busy as they can be.
"""

import math
from collections import deque
from collections.abc import Sequence

from isotherm_lab.load.cql_connection import is_rejection
from isotherm_lab.load.pipeline import Answer, Pipeline


class ClosedLoop:
    """The pacing of a closed loop over several pipelines, each with `in_flight` requests.

    A rejection ends a request as an answer does: the application hears of it at once and comes again, after a pause.
    """

    def __init__(self, pipelines: Sequence[Pipeline], in_flight: int, pause_after_rejection_s: float = 0.0):
        self.pipelines = pipelines
        self._in_flight = range(in_flight)
        self._pause_s = pause_after_rejection_s
        self._going_on = False
        #: Rejected requests whose application pauses, in the order in which they come again: when, and where.
        self._pausing: deque[tuple[float, Pipeline, int]] = deque()

    @property
    def due(self) -> float:
        """When the first of those that pause comes again."""
        return self._pausing[0][0] if self._pausing else math.inf

    def begin(self, now: float) -> None:
        """Send as many requests as are to be under way."""
        self._going_on = True
        for pipeline in self.pipelines:
            pipeline.send(self._in_flight, now)

    def send(self, now: float) -> None:
        """Send again for those whose pause is over."""
        over: dict[Pipeline, list[int]] = {}
        while self._pausing and self._pausing[0][0] <= now:
            _, pipeline, stream = self._pausing.popleft()
            over.setdefault(pipeline, []).append(stream)
        for pipeline, streams in over.items():
            pipeline.send(streams, now)

    def release(self, pipeline: Pipeline, answers: Sequence[Answer], now: float) -> None:
        """Send as many again, but for those that pause."""
        if not self._going_on:
            return
        free = []
        for stream, _, error in answers:
            if error and self._pause_s > 0 and is_rejection(error):
                self._pausing.append((now + self._pause_s, pipeline, stream))
            else:
                free.append(stream)
        if free:
            pipeline.send(free, now)

    def end(self) -> None:
        """Send no more; nobody who pauses comes again."""
        self._going_on = False
        self._pausing.clear()
