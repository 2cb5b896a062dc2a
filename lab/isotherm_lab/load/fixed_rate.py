# SPDX-License-Identifier: Apache-2.0
"""Requests evenly spaced in time, whatever becomes of them."""

import math
from collections.abc import Sequence

from isotherm_lab.errors import LabError
from isotherm_lab.load.pipeline import Answer, Pipeline


class FixedRate:
    """The pacing of `rate` requests a second in turn over several pipelines.

    LabError when a pipeline has no stream left: the nodes do not keep up, and then nothing is measured.
    """

    def __init__(self, pipelines: Sequence[Pipeline], rate: float):
        self.pipelines = pipelines
        self.due = math.inf
        self._gap_s = 1 / rate
        self._free = {pipeline: list(range(pipeline.streams)) for pipeline in pipelines}
        self._turn = 0

    def begin(self, now: float) -> None:
        """Send the first request now."""
        self.due = now

    def send(self, now: float) -> None:
        """Send every request that is due, however late."""
        while self.due <= now:
            pipeline = self.pipelines[self._turn]
            self._turn = (self._turn + 1) % len(self.pipelines)
            if not self._free[pipeline]:
                address = pipeline.connection.address
                raise LabError(f"{address} leaves {pipeline.streams} reads unanswered: offer fewer a second.")
            pipeline.send([self._free[pipeline].pop()], now)
            self.due += self._gap_s

    def release(self, pipeline: Pipeline, answers: Sequence[Answer], now: float) -> None:
        """Have the streams back."""
        self._free[pipeline] += [stream for stream, _, _ in answers]

    def end(self) -> None:
        """Send no more."""
        self.due = math.inf
