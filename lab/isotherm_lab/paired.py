# SPDX-License-Identifier: Apache-2.0
"""Statistics of alternating measurements: what they compare differs less than the machine does from minute to minute.

Windows are taken in the order A B B A, or A B C C B A for three: a drift that goes on steadily through a block
favours B in one half as much as A in the other. Each half gives a pair, and a pair gives a ratio.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RESAMPLES = 4_000
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Ratio:
    """The median of paired ratios, and the interval it lies in with 95 % confidence."""

    median: float
    low: float
    high: float


def there_and_back(names: Sequence[str]) -> list[str]:
    """Return one block: each name once, and again in reverse."""
    return [*names, *reversed(names)]


def ratio(numerators: np.ndarray, denominators: np.ndarray, seed: int = 1) -> Ratio:
    """Compare measurements of shape (blocks, 2), one pair per half of a block, all above 0.

    The interval is the bootstrap's: blocks are drawn with replacement, so that the two halves of one stay together and
    their opposite shares of a drift cancel in every resample as they do in the data.
    """
    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    if above.shape != below.shape or above.ndim != 2 or above.shape[1] != 2 or not len(above):
        raise ValueError(f"Expected two arrays of shape (blocks, 2), got {above.shape} and {below.shape}.")
    if not (np.all(above > 0) and np.all(below > 0)):
        raise ValueError("Every measurement must be above 0.")
    ratios = above / below
    drawn = np.random.default_rng(seed).integers(0, len(ratios), (_RESAMPLES, len(ratios)))
    medians = np.median(ratios[drawn].reshape(_RESAMPLES, -1), axis=1)
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.quantile(medians, [tail, 1 - tail])
    return Ratio(float(np.median(ratios)), float(low), float(high))
