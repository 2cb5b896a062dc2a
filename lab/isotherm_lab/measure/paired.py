# SPDX-License-Identifier: Apache-2.0
"""Statistics of alternating measurements: what they compare differs less than the machine does from minute to minute.

Windows are counterbalanced: taken in the order A B B A, or A B C C B A for three. A drift that goes on steadily through
a block favours B in one half as much as A in the other. Each half gives a pair, and a pair gives a ratio.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RESAMPLES = 4_000
_CONFIDENCE = 0.95
#: Of fewer blocks one alone fills more of the resamples than the interval leaves out: it is from the least to the most.
LEAST_BLOCKS = 5


@dataclass(frozen=True)
class Ratio:
    """A ratio of paired measurements, and the interval it lies in with 95 % confidence."""

    median: float
    low: float
    high: float


def counterbalanced(names: Sequence[str], block: int = 0) -> list[str]:
    """Return one block: each name once, and again in reverse.

    With its number each block begins one name further on, so that over the blocks each name follows itself, and
    another, as often as the others do: whoever was idle meanwhile begins with cold caches.
    """
    first = block % len(names)
    order = [*names[first:], *names[:first]]
    return [*order, *reversed(order)]


def ratio(numerators: np.ndarray, denominators: np.ndarray, seed: int = 1) -> Ratio:
    """Compare measurements of shape (blocks, 2), one pair per half of a block, all above 0: the median of their ratios.

    The interval is the bootstrap's: blocks are drawn with replacement, so that the two halves of one stay together and
    their opposite shares of a drift cancel in every resample as they do in the data.
    """
    above, below = _blocks(numerators, denominators)
    if not (np.all(above > 0) and np.all(below > 0)):
        raise ValueError("Every measurement must be above 0.")
    ratios = above / below
    medians = np.median(ratios[_drawn(len(ratios), seed)].reshape(_RESAMPLES, -1), axis=1)
    return Ratio(float(np.median(ratios)), *_interval(medians))


def ratio_of_sums(numerators: np.ndarray, denominators: np.ndarray, seed: int = 1) -> Ratio:
    """Compare the sums of such measurements, each of which may be mostly noise, even below 0; only the sums may not.

    The interval is the bootstrap's, over blocks, as above. ValueError when the denominators do not sum to more than 0.
    """
    above, below = (each.sum(axis=1) for each in _blocks(numerators, denominators))
    chosen = _drawn(len(above), seed)
    sums = below[chosen].sum(axis=1)
    if not (below.sum() > 0 and np.all(sums > 0)):
        raise ValueError("What is compared with must be above 0.")
    return Ratio(float(above.sum() / below.sum()), *_interval(above[chosen].sum(axis=1) / sums))


def _blocks(numerators: np.ndarray, denominators: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    if above.shape != below.shape or above.ndim != 2 or above.shape[1] != 2 or not len(above):
        raise ValueError(f"Expected two arrays of shape (blocks, 2), got {above.shape} and {below.shape}.")
    return above, below


def _drawn(blocks: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, blocks, (_RESAMPLES, blocks))


def _interval(resampled: np.ndarray) -> tuple[float, float]:
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return float(low), float(high)
