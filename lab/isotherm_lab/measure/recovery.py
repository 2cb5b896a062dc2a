# SPDX-License-Identifier: Apache-2.0
"""When readers no longer notice a fault that lasts."""

import math

import numpy as np

from isotherm_lab.measure import samples

#: The percentile is taken over this many seconds, begun every STEP_S.
STRETCH_S, STEP_S = 2.0, 0.5
_PERCENT = 99


def recovered_s(records: np.ndarray, limit_ms: float, began: float, ended: float) -> float | None:
    """Return seconds after `began` from which the p99 of every stretch until `ended` is below the limit.

    A request belongs to the stretch in which it was to be sent; one that failed has taken longer than any other. None
    when the last stretch is not below the limit, or there is none.
    """
    stretches = math.floor((ended - began - STRETCH_S) / STEP_S + 1e-6) + 1
    since = None
    for number in range(stretches):
        from_s = began + number * STEP_S
        if p99_ms(samples.between(records, from_s, from_s + STRETCH_S)) < limit_ms:
            since = number * STEP_S if since is None else since
        else:
            since = None
    return since


def p99_ms(records: np.ndarray) -> float:
    """Return the 99th percentile of latency in milliseconds; infinite when the one there failed, or nobody asked."""
    found = samples.percentile_ms(records, _PERCENT)
    return math.inf if found is None else found
