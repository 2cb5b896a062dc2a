# SPDX-License-Identifier: Apache-2.0
"""When requests ended, and how many did so per second; or any other moments."""

import numpy as np


def completions(records: np.ndarray, outcome: int) -> np.ndarray:
    """Return when the requests with this outcome ended, in seconds since the epoch, ascending."""
    chosen = records[records["outcome"] == outcome]
    return np.sort(chosen["intended_us"] + chosen["latency_us"]) / 1e6


def rate(moments: np.ndarray, from_s: float, to_s: float) -> float:
    """Return how many of the (ascending) moments lie in [from_s, to_s), per second."""
    first, last = np.searchsorted(moments, [from_s, to_s])
    return float(last - first) / (to_s - from_s)
