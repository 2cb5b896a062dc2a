# SPDX-License-Identifier: Apache-2.0
"""A request of a load until its outcome is recorded."""

import threading
import time
import weakref

from cassandra.cluster import ResponseFuture

from isotherm_lab.measure import samples
from isotherm_lab.measure.last_octet import last_octet


class TimedRequest:
    """A request that the driver has been given, and when it was to be sent."""

    def __init__(self, intended: float, future: ResponseFuture | None):
        """Remember when it was to be sent (seconds since 1970), and the driver's future, if there is one."""
        self._intended = intended
        # The driver has the future for as long as its callbacks run.
        self._future = weakref.ref(future) if future else lambda: None
        self._told = False
        self._lock = threading.Lock()

    def first_told(self) -> bool:
        """Return whether this is the first outcome of it: one that is sent again as its time ends may have two."""
        with self._lock:
            first, self._told = not self._told, True
        return first

    @property
    def intended_us(self) -> int:
        """When it was to be sent, as records have it."""
        return int(self._intended * 1e6)

    def latency_us(self) -> int:
        """Return how long ago it was to be sent."""
        return int((time.time() - self._intended) * 1e6)

    def coordinator(self) -> int:
        """Return the node that the driver asked first, as records name it."""
        return coordinator(self._future())

    def leave_no_cycle(self) -> None:
        """Have the future let go of its timer, which holds the future and is cancelled by now."""
        if future := self._future():
            future._timer = None


def coordinator(future: ResponseFuture | None) -> int:
    """Return, as records name it, the node that the driver asked first; whoever answers when it did not."""
    # The answer may come before the driver has noted whom it asked.
    asked = future and (future.attempted_hosts[:1] or [future.coordinator_host])[0]
    return last_octet(asked.address) if asked else samples.NOT_RECORDED
