# SPDX-License-Identifier: Apache-2.0
"""When a restarted node carries its part of the reads again."""

from collections.abc import Mapping

from isotherm_lab.measure.node_counters import NodeCounters

#: Rates are taken over this many seconds: long enough that chance does not look like a return.
SMOOTHING_S = 5.0
#: It has rejoined when it serves this much of what the others serve on average.
ENOUGH = 0.9
#: A return seen only in the last moments could be one of chance.
LEAST_STAY_S = 10.0


def rejoined_s(nodes: Mapping[str, NodeCounters], restarted: str, up: float, end: float) -> float | None:
    """Return seconds after `up` from which the restarted node serves >= 90 % of the others' mean until `end`.

    Each rate is a mean over SMOOTHING_S seconds and counts for the middle of them. None when it never does.
    """
    others = [counters for address, counters in nodes.items() if address != restarted]
    since: float | None = None
    offset = 0.0
    while up + offset + SMOOTHING_S <= end:
        window = (up + offset, up + offset + SMOOTHING_S)
        own = nodes[restarted].rate("reads", *window)
        mean = sum(counters.rate("reads", *window) for counters in others) / len(others)
        enough = mean > 0 and own >= ENOUGH * mean
        if not enough:
            since = None
        elif since is None:
            since = offset + SMOOTHING_S / 2
        offset += 1.0
    if since is None or up + since + LEAST_STAY_S > end:
        return None
    return round(since, 1)
