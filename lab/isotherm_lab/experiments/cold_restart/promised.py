# SPDX-License-Identifier: Apache-2.0
"""What is promised of a node that returns with an empty cache (docs/experiments.md)."""

from collections.abc import Iterator, Mapping
from typing import Any

from isotherm_lab.cluster.storage import StorageName
from isotherm_lab.cluster.variants import VARIANTS
from isotherm_lab.experiments.cold_restart.plan import RESTARTED
from isotherm_lab.experiments.promises import Promise

#: p50 of the first seconds over that while the node is down: what is promised, and what ends the run.
_FIRST = {StorageName.COMPRESSOR: (1.15, 2.0), StorageName.PAGE_CACHE: (1.3, 2.2)}
_REJOINED_S = {"fits": 25.0, "exceeds": 60.0}
#: A machine that does something else is slower, and a disk behind the page cache, too.
_KNOWN_REJOINED = 1.5
#: Of a node that is not watched for so long, but for this long: its reads in the last seconds, of the mean of the
#: others'.
_WATCHED_S = 30.0
_REGAINED, _KNOWN_REGAINED = 0.5, {StorageName.COMPRESSOR: 0.3, StorageName.PAGE_CACHE: 0.15}
#: How far a node's reads of the disk in the first 5 s are from their mean. Behind the page cache they are those of its
#: copies, too, which no client waits for.
_DISTANCE = {StorageName.COMPRESSOR: (0.15, 0.4), StorageName.PAGE_CACHE: (0.2, 0.9)}


def promises(size: str, runs: Mapping[str, Mapping[str, Any]]) -> list[Promise]:
    """Return the promises for the plugin's variants at one size of the data, with what their runs have of them."""
    return [
        each for name, run in runs.items() if VARIANTS[name].plugin for each in _of_run(f"{name}, {size}", size, run)
    ]


def _of_run(title: str, size: str, run: Mapping[str, Any]) -> Iterator[Promise]:
    phases = run["phases"]
    down = next(phase for phase in phases if phase["name"] == "down")
    back = [phase for phase in phases if phase["name"] == "back"]
    storage, watched_s = StorageName(run["storage"]), back[-1]["to_s"] - back[0]["from_s"]
    bound, known = _FIRST[storage]
    first = back[0]["p50_ms"] / down["p50_ms"] if back[0]["p50_ms"] and down["p50_ms"] else None
    yield Promise(f"{title}: p50 of the first 5 s over that while down", first, bound, known, unit=" x")
    most_s = _REJOINED_S[size]
    if run["rejoined_s"] is not None or watched_s >= _KNOWN_REJOINED * most_s:
        yield Promise(f"{title}: rejoined after", run["rejoined_s"], most_s, _KNOWN_REJOINED * most_s, unit=" s")
    elif watched_s >= _WATCHED_S:
        # Watched for a shorter time it may have come about later.
        regained, least = _beside_others(back[-1]), _KNOWN_REGAINED[storage]
        yield Promise(f"{title}: its last reads, of the others'", regained, _REGAINED, least, at_least=True)
    if size == "exceeds":
        # Where the data fits the caches the others read the disk not at all.
        most, known_most = _DISTANCE[storage]
        yield Promise(f"{title}: disk reads of the first 5 s, from their mean", _apart(back[0]), most, known_most)
    yield Promise(f"{title}: failed reads", sum(phase["errors"] for phase in phases), 0, 10)


def _beside_others(phase: Mapping[str, Any]) -> float:
    """Return the restarted node's reads, of the mean of the others'."""
    others = [node["reads_per_s"] for address, node in phase["nodes"].items() if address != RESTARTED]
    return phase["nodes"][RESTARTED]["reads_per_s"] / (sum(others) / len(others))


def _apart(phase: Mapping[str, Any]) -> float:
    """Return the greatest distance of a node's reads of the disk from the mean of all nodes', of that mean."""
    rates = [node["disk_reads_per_s"] for node in phase["nodes"].values()]
    mean = sum(rates) / len(rates)
    return max(abs(each - mean) for each in rates) / mean
