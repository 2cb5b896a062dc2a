# SPDX-License-Identifier: Apache-2.0
"""What the clients and the nodes did in each phase of a hot partition, and when the background was back."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isotherm_lab.errors import LabError
from isotherm_lab.load.closed_load import FAILED, REJECTED
from isotherm_lab.measure import samples
from isotherm_lab.measure.completions import completions, rate
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.rounding import rounded

#: The background is back when it reads this much of what it read before the partition was hot.
ENOUGH = 0.95
#: Rates are taken over so long, and a return counts for the end of the first stretch that is fast enough.
STRETCH_S = 2.0
_STEP_S = 0.1
_QUEUE_STEP_S = 0.5


def recovered_s(
    background: np.ndarray, usual_per_s: float, since: float, end: float, part: float = ENOUGH
) -> float | None:
    """Return seconds from a moment to when the background read this part of usual for 2 s, and on average until `end`.

    It is the end of those 2 s. None when it never does.
    """
    answered = completions(background, samples.ANSWERED)
    for step in range(math.floor((end - since - STRETCH_S) / _STEP_S) + 1):
        begin = since + step * _STEP_S
        enough = part * usual_per_s
        if rate(answered, begin, begin + STRETCH_S) >= enough and rate(answered, begin, end) >= enough:
            return round(step * _STEP_S + STRETCH_S, 1)
    return None


def first_sent_s(clients: Sequence[np.ndarray]) -> float:
    """Return when the first request of these clients was sent, in seconds since the epoch; LabError when none was."""
    sent = [int(records["intended_us"].min()) for records in clients if records.size]
    if not sent:
        raise LabError("The hot clients sent nothing.")
    return min(sent) / 1e6


def clients(from_s: float, to_s: float, background: np.ndarray, hot: np.ndarray) -> dict[str, Any]:
    """Return what both clients saw between two moments: rates by when a read ended, offered by when it was sent."""
    return {
        "background_per_s": round(rate(completions(background, samples.ANSWERED), from_s, to_s), 2),
        "background_p99_ms": _p99_ms(background, from_s, to_s),
        "hot_offered_per_s": round(rate(hot["intended_us"] / 1e6, from_s, to_s), 2),
        "hot_accepted_per_s": round(rate(completions(hot, samples.ANSWERED), from_s, to_s), 2),
        "hot_rejected_per_s": round(rate(completions(hot, REJECTED), from_s, to_s), 2),
        "background_failed": _failures(background, from_s, to_s),
        "failed": _failures(background, from_s, to_s) + _failures(hot, from_s, to_s),
    }


def replicas(from_s: float, to_s: float, nodes: Mapping[str, NodeCounters]) -> dict[str, dict[str, float]]:
    """Return, by node, how much its disk read between two moments and how many reads waited on average."""
    samples_at = np.arange(from_s, to_s, _QUEUE_STEP_S)
    return {
        address: {
            "disk_reads_per_s": round(counters.rate("disk_reads", from_s, to_s), 1),
            "queue": round(float(np.mean([queue(counters, at) for at in samples_at])), 1),
        }
        for address, counters in nodes.items()
    }


def queue(counters: NodeCounters, epoch_s: float) -> float:
    """Return the reads that wait on a node: for a thread of the read stage, or with one for a place on the disk."""
    return counters.at("read_stage_pending", epoch_s) + counters.at("disk_waiting", epoch_s)


def _failures(records: np.ndarray, from_s: float, to_s: float) -> int:
    return int(np.diff(np.searchsorted(completions(records, FAILED), [from_s, to_s]))[0])


def _p99_ms(records: np.ndarray, from_s: float, to_s: float) -> float | None:
    """Return the percentile of the reads that ended between two moments; None when the one there was not answered."""
    ended = (records["intended_us"] + records["latency_us"]) / 1e6
    return rounded(samples.percentile_ms(records[(ended >= from_s) & (ended < to_s)], 99), 2)
