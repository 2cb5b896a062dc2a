# SPDX-License-Identifier: Apache-2.0
"""The machine-readable result of an experiment."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.phases import Phase

#: Which counter says that a read missed, by the cache that the table uses.
MISS_COLUMN = {"cache": "row_cache_misses", "read_time": "disk_reads"}


def phase(phase: Phase, records: np.ndarray, nodes: Mapping[str, NodeCounters], heat_source: str) -> dict[str, Any]:
    """Return what clients and nodes saw in one phase."""
    seen = samples.between(records, phase.begin, phase.end)
    errors = int(np.count_nonzero(seen["outcome"] != samples.ANSWERED))
    return {
        "name": phase.name,
        "from_s": round(phase.from_s, 3),
        "to_s": round(phase.to_s, 3),
        "p50_ms": _rounded(samples.percentile_ms(seen, 50)),
        "p99_ms": _rounded(samples.percentile_ms(seen, 99)),
        "reads": int(seen.size) - errors,
        "errors": errors,
        "nodes": {
            address: {
                "reads_per_s": _rate(counters, "reads", phase),
                "misses_per_s": _rate(counters, MISS_COLUMN[heat_source], phase),
                "local_per_s": _rate(counters, "local", phase),
                "remote_per_s": _rate(counters, "sent_total", phase),
            }
            for address, counters in nodes.items()
        },
    }


def run(
    cut: Sequence[Phase],
    records: np.ndarray,
    nodes: Mapping[str, NodeCounters],
    heat_source: str,
    rejoined: float | None,
) -> dict[str, Any]:
    """Return one variant's result at one size of the data."""
    return {"phases": [phase(part, records, nodes, heat_source) for part in cut], "rejoined_s": rejoined}


def write(path: Path, experiment: str, runs: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> None:
    """Write {experiment, SIZE: {VARIANT: RUN}, settings} in one step: a reader sees all of it or the file before."""
    content = {"experiment": experiment, **runs, "settings": settings}
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".json.tmp")
    temporary.write_text(json.dumps(content, indent=1) + "\n")
    temporary.replace(path)


def _rate(counters: NodeCounters, column: str, phase: Phase) -> float:
    return round(counters.rate(column, phase.begin, phase.end), 2)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
