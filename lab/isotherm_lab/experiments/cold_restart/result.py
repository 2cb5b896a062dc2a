# SPDX-License-Identifier: Apache-2.0
"""What one variant's run at one size of the data is in the summary."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import MISS_COLUMN, NodeCounters
from isotherm_lab.measure.phases import Phase


def result(
    cut: Sequence[Phase],
    records: np.ndarray,
    nodes: Mapping[str, NodeCounters],
    heat_source: str,
    rejoined: float | None,
    storage: str,
    restarted: str,
) -> dict[str, Any]:
    """Return what clients and nodes saw in each phase, and after how many seconds the node carried its part again.

    `misses_per_s` are disk reads wherever no row cache counts its misses; `disk_reads_per_s` are those of the storage.
    Both count copies of reads too, which `reads_per_s` does not: nobody waits for them. Latencies are those of all
    requests, and apart those of the requests that went to the `restarted` node first, and of the others.
    """
    others, own = samples.split_off(records, [restarted])
    apart = {"own_clients": own, "other_clients": others}
    return {
        "phases": [_phase(part, records, apart, nodes, heat_source) for part in cut],
        "rejoined_s": rejoined,
        "storage": storage,
    }


def _phase(
    phase: Phase,
    records: np.ndarray,
    apart: Mapping[str, np.ndarray],
    nodes: Mapping[str, NodeCounters],
    heat_source: str,
) -> dict[str, Any]:
    seen = samples.between(records, phase.begin, phase.end)
    errors = int(np.count_nonzero(seen["outcome"] != samples.ANSWERED))
    return {
        "name": phase.name,
        "from_s": round(phase.from_s, 3),
        "to_s": round(phase.to_s, 3),
        **samples.p50_and_p99_ms(seen, 3),
        **{
            clients: samples.p50_and_p99_ms(samples.between(own, phase.begin, phase.end), 3)
            for clients, own in apart.items()
        },
        "reads": int(seen.size) - errors,
        "errors": errors,
        "nodes": {
            address: {
                "reads_per_s": _rate(counters, "reads", phase),
                "misses_per_s": _rate(counters, MISS_COLUMN[heat_source], phase),
                "disk_reads_per_s": _rate(counters, "disk_reads", phase),
                "copies_per_s": _rate(counters, "copies", phase),
                "local_per_s": _rate(counters, "local", phase),
                "remote_per_s": _rate(counters, "sent_total", phase),
            }
            for address, counters in nodes.items()
        },
    }


def _rate(counters: NodeCounters, column: str, phase: Phase) -> float:
    return round(counters.rate(column, phase.begin, phase.end), 2)
