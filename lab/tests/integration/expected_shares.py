# SPDX-License-Identifier: Apache-2.0
"""The shares that reads should have, computed apart from the plugin, and how far chance may take a count from them."""

import math
from collections.abc import Sequence


def shares(miss_ratios: Sequence[float], contacted: int, floor: float = 0.05) -> list[float]:
    """Return P_i = min(1/K, lambda/m_i) with lambda found by bisection so that they sum to one."""
    misses = [max(floor, ratio) for ratio in miss_ratios]
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        total = sum(min(1 / contacted, middle / miss) for miss in misses)
        low, high = (middle, high) if total < 1 else (low, middle)
    return [min(1 / contacted, high / miss) for miss in misses]


def forwarding_of_first(shares_wanted: Sequence[float], contacted: int) -> list[float]:
    """Return how the first replica's own reads are spread when all coordinate equally many.

    It keeps all it may; what is left goes to each other replica between the least that the later coordinators cannot
    bring to it and the most that it may take, at the same fraction of the way for all.
    """
    n = len(shares_wanted)
    cap = 1 / n / contacted
    kept = [min(share, cap) for share in shares_wanted]
    wanted = [share - own for share, own in zip(shares_wanted, kept, strict=True)]
    left = 1 / n - kept[0]
    later = [cap * (n - 2)] * n
    least = [0.0] + [max(0.0, wanted[j] - later[j]) for j in range(1, n)]
    most = [0.0] + [min(cap, wanted[j]) for j in range(1, n)]
    room = sum(most) - sum(least)
    part = 0.0 if room <= 0 else min(1.0, max(0.0, (left - sum(least)) / room))
    sent = [kept[0]] + [least[j] + part * (most[j] - least[j]) for j in range(1, n)]
    return [n * each for each in sent]


def within_chance(count: int, reads: int, probability: float) -> bool:
    """Whether a count of independent reads lies within 5 standard deviations of the binomial (1 in 1.7 million)."""
    # A certain draw may be computed a rounding above 1.
    deviation = math.sqrt(reads * max(0.0, probability * (1 - probability)))
    return abs(count - reads * probability) <= 5 * deviation + 1e-6
