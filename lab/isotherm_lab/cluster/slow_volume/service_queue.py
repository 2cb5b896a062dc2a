# SPDX-License-Identifier: Apache-2.0
"""The queue of a disk: some reads are served at a time, each for as long, and the others wait in order of arrival."""

import heapq
from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class ServiceQueue(Generic[Item]):
    """Serves `parallel` items at a time; times are seconds of whatever clock the caller has."""

    def __init__(self, parallel: int):
        self._parallel = parallel
        #: None: nothing is served.
        self._service_s: float | None = 0.0
        self._waiting: deque[Item] = deque()
        self._served: list[tuple[float, int, Item]] = []
        self._arrived = 0

    def serve(self, service_s: float | None, now: float) -> None:
        """Serve what begins from now on for as long; None keeps all, what is being served too, until the next call."""
        self._service_s = service_s
        if service_s is None:
            self._waiting.extendleft(item for *_, item in sorted(self._served, key=lambda each: each[1], reverse=True))
            self._served.clear()
        self._begin(now)

    def arrive(self, item: Item, now: float) -> None:
        """Take an item."""
        self._waiting.append(item)
        self._begin(now)

    def done(self, now: float) -> list[Item]:
        """Return what has been served since the last call, in order."""
        items = []
        while self._served and self._served[0][0] <= now:
            ended, _, item = heapq.heappop(self._served)
            items.append(item)
            # The next one has waited for this moment, whenever somebody looks.
            self._begin(ended)
        return items

    def next_s(self) -> float | None:
        """Return when the next item will have been served; None while none is being served."""
        return self._served[0][0] if self._served else None

    def _begin(self, now: float) -> None:
        if self._service_s is None:
            return
        while self._waiting and (len(self._served) < self._parallel or not self._service_s):
            self._arrived += 1
            heapq.heappush(self._served, (now + self._service_s, self._arrived, self._waiting.popleft()))
