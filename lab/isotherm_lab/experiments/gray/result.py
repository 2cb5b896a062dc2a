# SPDX-License-Identifier: Apache-2.0
"""What one fault under one variant is in the summary."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.phases import FaultMoments, Phase, fault_phases
from isotherm_lab.measure.recovery import p99_ms, recovered_s
from isotherm_lab.measure.rejoining import share_regained_s
from isotherm_lab.measure.rounding import rounded

#: Readers have recovered when p99 is below so many times the p99 while well.
OF_WELL = 2.0
#: A node is read from where it serves so much of what it would if all served as much.
_MET = 0.25
_PROBE_S = 1


def result(
    moments: FaultMoments,
    records: np.ndarray,
    nodes: Mapping[str, NodeCounters],
    faulty: Sequence[str],
    apart: Sequence[str],
) -> dict[str, Any]:
    """Return the phases, when readers recovered, and when all faulty nodes had rejoined.

    Both are None where the fault before had not faded: nobody knows then what `well` is, which they are measured by.
    `met` says whether the faulty nodes were read from when the fault began: it meets nobody where they were not.
    Requests that went to the nodes `apart` first are counted in `own_clients` of a phase, and nowhere else.
    """
    others, own = samples.split_off(records, apart)
    return {
        "phases": [_phase(phase, records, others, own if apart else None, nodes) for phase in fault_phases(moments)],
        "settled": moments.settled,
        "met": _met(moments, nodes, faulty),
        "recovered_s": _recovered(moments, others) if moments.settled else None,
        "rejoined_s": _rejoined(moments, records, nodes, faulty) if moments.settled else None,
    }


def _met(moments: FaultMoments, nodes: Mapping[str, NodeCounters], faulty: Sequence[str]) -> bool:
    """Return whether each of the faulty nodes served a fair part of the reads while well."""
    rates = {address: each.rate("reads", moments.well, moments.well_ended) for address, each in nodes.items()}
    return all(rates[address] >= _MET * sum(rates.values()) / len(rates) for address in faulty)


def _recovered(moments: FaultMoments, records: np.ndarray) -> float | None:
    """Return when readers had; None where the p99 while well is that of a read that failed: all are below it."""
    usual_ms = p99_ms(samples.between(records, moments.well, moments.well_ended))
    return recovered_s(records, OF_WELL * usual_ms, moments.began, moments.ended) if math.isfinite(usual_ms) else None


def _phase(
    phase: Phase,
    records: np.ndarray,
    others: np.ndarray,
    own: np.ndarray | None,
    nodes: Mapping[str, NodeCounters],
) -> dict[str, Any]:
    apart = {} if own is None else {"own_clients": _clients(phase, own)}
    return {
        "name": phase.name,
        "from_s": round(phase.from_s, 3),
        "to_s": round(phase.to_s, 3),
        **_clients(phase, others),
        **apart,
        "moved": _moved(phase, records, nodes),
        "nodes": {
            address: {"reads_per_s": round(counters.rate("reads", phase.begin, phase.end), 2)}
            for address, counters in nodes.items()
        },
    }


def _moved(phase: Phase, records: np.ndarray, nodes: Mapping[str, NodeCounters]) -> float:
    """Return the part of the requests whose replicas the guard of any node reordered."""
    # Counters are known once a second: what the fault sets off in its first second is not of the time before.
    end = phase.end - _PROBE_S if phase.name == "well" else phase.end
    moved = sum(counters.increase("moved", phase.begin, end) for counters in nodes.values())
    return round(moved / max(1, samples.between(records, phase.begin, end).size), 5)


def _clients(phase: Phase, records: np.ndarray) -> dict[str, Any]:
    seen = samples.between(records, phase.begin, phase.end)
    return {
        **samples.p50_and_p99_ms(seen, 3),
        "mean_ms": rounded(samples.mean_ms(seen), 3),
        "errors": int(np.count_nonzero(seen["outcome"] != samples.ANSWERED)),
    }


def _rejoined(
    moments: FaultMoments, records: np.ndarray, nodes: Mapping[str, NodeCounters], faulty: Sequence[str]
) -> float | None:
    """Return when the last of the faulty nodes had."""
    arrivals, well = records["intended_us"] / 1e6, (moments.well, moments.well_ended)
    found = [share_regained_s(nodes[each], arrivals, well, moments.ended, moments.until) for each in faulty]
    return None if None in found else max(found)
