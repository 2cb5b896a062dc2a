# SPDX-License-Identifier: Apache-2.0
"""When a node carries its part of the reads again."""

from collections.abc import Callable, Mapping

import numpy as np

from isotherm_lab.measure.completions import rate
from isotherm_lab.measure.node_counters import NodeCounters

#: Rates are taken over this many seconds: long enough that chance does not look like a return.
SMOOTHING_S = 5.0
#: It has rejoined when it serves this much of its part.
ENOUGH = 0.9
#: A return seen only in the last moments could be one of chance.
LEAST_STAY_S = 10.0


def rejoined_s(nodes: Mapping[str, NodeCounters], restarted: str, up: float, end: float) -> float | None:
    """Return seconds after `up` from which the restarted node serves >= 90 % of the others' mean until `end`.

    Each rate is a mean over SMOOTHING_S seconds and counts for the middle of them. None when it never does.
    """
    others = [counters for address, counters in nodes.items() if address != restarted]

    def enough(*window: float) -> bool:
        mean = sum(counters.rate("reads", *window) for counters in others) / len(others)
        return mean > 0 and nodes[restarted].rate("reads", *window) >= ENOUGH * mean

    since = _for_good(enough, up, end)
    return None if since is None else round(since + SMOOTHING_S / 2, 1)


def share_regained_s(
    counters: NodeCounters, arrivals: np.ndarray, well: tuple[float, float], begin: float, end: float
) -> float | None:
    """Return seconds after `begin` from which the node serves >= 90 % of its share until `end`; None when never.

    Its share is what it read per request while well; `arrivals` is when requests were to be sent, ascending. Thus a
    moment in which fewer come by chance is no loss. A mean over SMOOTHING_S seconds counts for the first of them, so
    that a node that never lost its share has 0.
    """
    share = counters.rate("reads", *well) / rate(arrivals, *well)

    def enough(*window: float) -> bool:
        return counters.rate("reads", *window) >= ENOUGH * share * rate(arrivals, *window)

    since = _for_good(enough, begin, end)
    return None if since is None else round(since, 1)


def _for_good(enough: Callable[[float, float], bool], begin: float, end: float) -> float | None:
    """Return the offset from `begin` of the first window from which on all are enough, LEAST_STAY_S at least."""
    since: float | None = None
    offset = 0.0
    while begin + offset + SMOOTHING_S <= end:
        if not enough(begin + offset, begin + offset + SMOOTHING_S):
            since = None
        elif since is None:
            since = offset
        offset += 1.0
    return None if since is None or begin + since + LEAST_STAY_S > end else since
