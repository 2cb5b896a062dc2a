# SPDX-License-Identifier: Apache-2.0
"""Watches the load on a cluster while faults come and go, and waits until their traces are gone."""

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from isotherm_lab.experiments.fare import fare
from isotherm_lab.progress import Listener, wait_until

#: The cluster has settled when the median of every one of so many last seconds is at most so many times the usual one.
CALM_SECONDS, OF_USUAL = 4, 1.5


class Watch:
    """Looks at the load when called, and remembers the median of every second."""

    def __init__(self, latest: Callable[[], Mapping[str, Any]], told: Listener):
        """`latest` returns the newest line of the load's progress, and raises when the load has ended."""
        self._latest = latest
        self._told = told
        self._seconds: dict[float, float] = {}
        #: The median while all nodes were well for the first time, in ms.
        self._usual_ms: float | None = None

    def __call__(self) -> None:
        """Look, and tell how the readers fare."""
        line = self._latest()
        median = line.get("p50_ms")
        # A second whose median failed, or had no answers at all, is worse than any other.
        self._seconds[line.get("epoch_s", 0.0)] = math.inf if median is None else median
        self._told.note(fare(line))

    def well(self, seconds: float) -> None:
        """Watch while all nodes are well; the first time in which readers are answered says what is usual."""
        before = set(self._seconds)
        wait_until(time.time() + seconds, self)
        seen = [median for epoch, median in self._seconds.items() if epoch not in before]
        if self._usual_ms is None and seen and math.isfinite(median := float(np.median(seen))):
            self._usual_ms = median

    def settle(self, at_least_s: float, at_most_s: float) -> bool:
        """Wait until the readers fare as usual again, or have had long enough to; return whether they do."""
        begun = time.time()
        wait_until(begun + at_least_s, self)
        while not self.calm() and time.time() < begun + at_most_s:
            wait_until(time.time() + 0.5, self)
        return self.calm()

    def calm(self) -> bool:
        """Whether the last seconds were as usual; before it is known what is, whether readers were answered in them."""
        last = [self._seconds[epoch] for epoch in sorted(self._seconds)[-CALM_SECONDS:]]
        if self._usual_ms is None:
            return all(map(math.isfinite, last))
        return len(last) == CALM_SECONDS and max(last) <= OF_USUAL * self._usual_ms
