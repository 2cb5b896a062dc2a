# SPDX-License-Identifier: Apache-2.0
"""Requests over several pipelines at once, sent when a pacing says so."""

import selectors
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from isotherm_lab.load.pipeline import Answer, Pipeline


class Pacing(Protocol):
    """When which pipeline sends its next request."""

    pipelines: Sequence[Pipeline]
    #: When send() is to be called next; infinite as long as only an answer makes the next request.
    due: float

    def begin(self, now: float) -> None:
        """Send from now on."""

    def send(self, now: float) -> None:
        """Send what is due."""

    def release(self, pipeline: Pipeline, answers: Sequence[Answer], now: float) -> None:
        """Have the streams of these answers back; some pacings send again over them at once."""

    def end(self) -> None:
        """Send no more until begin()."""


class Traffic:
    """Sends as the pacing says, takes in what comes, and tells a listener: `heard(answers, now)`."""

    def __init__(
        self,
        pacing: Pacing,
        heard: Callable[[Sequence[Answer], float], None],
        clock: Callable[[], float] = time.perf_counter,
    ):
        self._pacing = pacing
        self._heard = heard
        self._clock = clock
        self._selector = selectors.DefaultSelector()
        for pipeline in pacing.pipelines:
            self._selector.register(pipeline.connection.socket, selectors.EVENT_READ, pipeline)
        #: Whether a file that ends it has become readable.
        self.told_to_stop = False

    def stop_when_readable(self, file: Any) -> None:
        """Have run_until() return when this file becomes readable."""
        self._selector.register(file, selectors.EVENT_READ, None)

    def begin(self) -> float:
        """Send from now on; return what time it is."""
        now = self._clock()
        self._pacing.begin(now)
        return now

    def run_until(self, end: float) -> None:
        """Send and receive until the clock says so."""
        while not self.told_to_stop and (now := self._clock()) < end:
            self._pacing.send(now)
            self._receive(max(0.0, min(end, self._pacing.due) - self._clock()))
        if not self.told_to_stop:
            # What was due while this process had no processor is sent all the same.
            self._pacing.send(end)

    def drain(self, patience_s: float) -> int:
        """Send no more, and wait for the answers due; return how many have not come in this time."""
        self._pacing.end()
        deadline = self._clock() + patience_s
        while (due := self._unanswered()) and self._clock() < deadline:
            self._receive(0.1)
        return due

    def waiting_since(self) -> list[float]:
        """Return when each request that is not answered was sent, by this clock (seconds)."""
        return [sent for pipeline in self._pacing.pipelines for sent in pipeline.waiting_since()]

    def _unanswered(self) -> int:
        return sum(pipeline.unanswered for pipeline in self._pacing.pipelines)

    def _receive(self, timeout_s: float) -> None:
        for key, _ in self._selector.select(timeout_s):
            if key.data is None:
                self._selector.unregister(key.fileobj)
                self.told_to_stop = True
                continue
            answers = key.data.receive()
            now = self._clock()
            self._heard(answers, now)
            self._pacing.release(key.data, answers, now)

    def close(self) -> None:
        """Close the connections."""
        self._selector.close()
        for pipeline in self._pacing.pipelines:
            pipeline.connection.close()
