# SPDX-License-Identifier: Apache-2.0
"""Which partitions get so many of this process's requests that one host should not get them all."""

from isotherm_driver.affinity.splitmix64 import point_of


class HotPartitions:
    """Recognises partitions with more than `share` of the recent requests.

    One counter per slot and, in it, the partition that fills it most (the majority vote of Boyer and Moore): a
    partition with a share well above one slot's keeps its slot, and what is rare never gathers a count. All counts
    are halved every `window` requests, so that "recent" means the last one or two windows. Memory is fixed.
    """

    def __init__(self, share: float = 1 / 64, window: int = 4096, slots: int = 1024):
        if not 0 < share <= 1:
            raise ValueError(f"share is {share}, allowed: above 0, at most 1")
        if window < 1 / share:
            raise ValueError(f"window is {window}, allowed: at least 1 / share = {1 / share:g}")
        if slots < 1:
            raise ValueError(f"slots is {slots}, allowed: 1 or above")
        self._limit = share * window
        self._window = window
        self._tokens = [0] * slots
        self._counts = [0] * slots
        self._seen = 0

    def is_hot(self, token: int) -> bool:
        """Count one request for the partition; whether it is hot."""
        slot = int(point_of(token) * len(self._counts))
        if self._tokens[slot] == token:
            self._counts[slot] += 1
        elif self._counts[slot] > 0:
            self._counts[slot] -= 1
        else:
            self._tokens[slot], self._counts[slot] = token, 1
        self._seen += 1
        if self._seen >= self._window:
            self._seen = 0
            self._counts = [count // 2 for count in self._counts]
        return self._tokens[slot] == token and self._counts[slot] > self._limit
