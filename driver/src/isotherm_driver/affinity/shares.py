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


def drawn(point: float, of_contacts: Sequence[float], contacted: int) -> list[int]:
    """The replicas that systematic sampling draws for a point in [0, 1): `contacted` different places.

    The shares, each `contacted` times as long, lie one after another on [0, contacted); the points `point`,
    `point` + 1, ... fall on different ones because none is longer than 1.
    """
    places: list[int] = []
    border, at = 0.0, point
    for place, share in enumerate(of_contacts):
        border += share * contacted
        if at < border and len(places) < contacted:
            places.append(place)
            at += 1
    return places
