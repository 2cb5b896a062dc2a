# SPDX-License-Identifier: Apache-2.0
"""Which replicas a cluster under affinity placement reads a partition from."""

from collections.abc import Sequence

MISS_FLOOR = 0.05
EQUAL_SPREAD = 0.01


def shares(miss_ratios: Sequence[float], contacted: int) -> list[float]:
    """The share of the contacts each replica gets: in inverse proportion to its misses, at most 1 / contacted.

    Ratios within 0.01 of each other count as equal, as they do on the nodes.
    """
    if max(miss_ratios) - min(miss_ratios) <= EQUAL_SPREAD:
        return [1 / len(miss_ratios)] * len(miss_ratios)
    weights = [1 / max(MISS_FLOOR, ratio) for ratio in miss_ratios]
    full: set[int] = set()
    while True:
        # What is left, over what is not yet full; filling one may lift the next over the limit.
        free = sum(weight for i, weight in enumerate(weights) if i not in full)
        left = (contacted - len(full)) / contacted
        found = [
            1 / contacted if i in full else min(1 / contacted, left * weight / free) for i, weight in enumerate(weights)
        ]
        now_full = {i for i, share in enumerate(found) if share >= 1 / contacted}
        if now_full == full or len(now_full) == len(weights):
            return found
        full = now_full
