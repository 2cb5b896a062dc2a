# SPDX-License-Identifier: Apache-2.0
"""What is promised of a node that is neither well nor dead, beside Cassandra's dynamic snitch (docs/experiments.md)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from isotherm_lab.experiments.promises import Promise

#: The plugin with the placement that the experiments compare, and with the default one.
STOCK, PLUGINS = "cassandra", ("isotherm", "isotherm-auto")
#: From so long after the fault began it is compared with Cassandra's.
_FROM_S = 5.0
_OF_STOCK = 1.2
#: What ends the run: the p99 of the shortest phase, of 5 s, is that of its fifteenth slowest read.
_KNOWN_P50, _KNOWN_P99 = 2.2, 2.5
#: Beside its own while well, where a healthy quorum exists.
_OF_WELL, _KNOWN_OF_WELL = 2.0, 2.5
#: More reads than with Cassandra that fail from then on: none, but for chance.
_KNOWN_FAILED = 10
#: Where disks are at their limit some reads fail, with either: chance decides of which p99 is that of a failure.
_AT_THE_LIMIT = ("two-slow", "all-slow", "cold-while-slow")
_RECOVERED_S, _KNOWN_RECOVERED_S = 2.0, 20.0
#: Where docs/experiments.md tells of later ones: two nodes with the default table have more reads than their disks
#: bear, so that readers do not recover; behind the page cache 23 s, and with the default placement 26.5 s, as p99 is
#: about twice that while well, which there is half of what it is with `local`.
_KNOWN_RECOVERED_LATER_S = {
    "slow-disk@default": math.inf,
    "slow-disk@page-cache": 30.0,
    "slow-disk, isotherm-auto": 30.0,
}
_REJOINED_S, _KNOWN_REJOINED_S = 15.0, 30.0
#: The faults whose readers are to have recovered in two seconds, whatever the table.
_AT_ONCE = ("slow-disk", "stopped")


def promises(faults: Mapping[str, Mapping[str, Any]]) -> list[Promise]:
    """Return the promises with what the faults of a summary have of them that ran with and without the plugin."""
    return [
        promise
        for fault, runs in faults.items()
        for name in PLUGINS
        if {STOCK, name} <= runs.keys()
        for title in [fault if name == PLUGINS[0] else f"{fault}, {name}"]
        for promise in (
            _settled(title, runs[name], _fault_before(fault, faults, runs[name])),
            *_of_fault(fault, title, runs[STOCK], runs[name]),
        )
    ]


def _settled(title: str, plugin: Mapping[str, Any], before: str) -> Promise:
    """Return the promise that readers fare as usual when the fault begins: the others are not asked of it where not."""
    settled = all(each["settled"] for each in plugin.get("rounds", [plugin]))
    return Promise(f"{title}: settled before", float(settled), 1, 0 if before in _AT_THE_LIMIT else 1, at_least=True)


def _fault_before(fault: str, faults: Mapping[str, Any], plugin: Mapping[str, Any]) -> str:
    """Return the fault that the same table has suffered before, the last one where there were rounds; "" if none."""
    table = fault.partition("@")[2]
    suffered = [name for name, _, of in (each.partition("@") for each in faults) if of == table]
    place = suffered.index(fault.partition("@")[0])
    return suffered[place - 1] if place > 0 or "rounds" in plugin else ""


def _of_fault(fault: str, title: str, stock: Mapping[str, Any], plugin: Mapping[str, Any]) -> Iterator[Promise]:
    name, _, table = fault.partition("@")
    # One that Cassandra did not read from when its trouble began, by chance, has done it nothing.
    compared = (("p50", _KNOWN_P50), ("p99", _KNOWN_P99)) if stock["met"] else ()
    for field, known in compared:
        worst = _worst(stock["phases"], plugin["phases"], f"{field}_ms")
        most = math.inf if name in _AT_THE_LIMIT else known
        if worst is not None:
            yield Promise(f"{title}: {field} over Cassandra's", worst, _OF_STOCK, most, unit=" x")
    if name not in _AT_THE_LIMIT:
        failed = [sum(each["errors"] for each in _from_5_s(run["phases"])) for run in (plugin, stock)]
        yield Promise(f"{title}: failed reads beyond Cassandra's", failed[0] - failed[1], 0, _KNOWN_FAILED)
    if not plugin["settled"]:
        return
    # A node that the plugin did not read from has no share to lose, nor to regain.
    yield Promise(f"{title}: read from while well", float(plugin["met"]), 1, 1, at_least=True)
    if name not in _AT_THE_LIMIT and _from_5_s(plugin["phases"]):
        latest = math.inf if fault in _KNOWN_RECOVERED_LATER_S or table == "default" else _KNOWN_OF_WELL
        yield Promise(f"{title}: p99 over that while well", _of_well(plugin["phases"]), _OF_WELL, latest, unit=" x")
    if name in _AT_ONCE:
        latest = _KNOWN_RECOVERED_LATER_S.get(title, _KNOWN_RECOVERED_LATER_S.get(fault, _KNOWN_RECOVERED_S))
        yield Promise(f"{title}: recovered after", plugin["recovered_s"], _RECOVERED_S, latest, unit=" s")
    yield Promise(f"{title}: rejoined after", plugin["rejoined_s"], _REJOINED_S, _KNOWN_REJOINED_S, unit=" s")


def _from_5_s(phases: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the phases of the fault from 5 s on."""
    return [each for each in phases if each["name"] == "fault" and each["from_s"] >= _FROM_S]


def _of_well(phases: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the greatest p99 from 5 s of the fault on, over that while well; None where either is of a failed read."""
    well = next(each["p99_ms"] for each in phases if each["name"] == "well")
    found = [each["p99_ms"] for each in _from_5_s(phases)]
    return None if well is None or None in found else max(found) / well


def _worst(stock: list[Mapping[str, Any]], plugin: list[Mapping[str, Any]], field: str) -> float | None:
    """Return the greatest ratio of a phase from 5 s of the fault on; None where Cassandra's are those of failures."""
    ratios = [
        math.inf if own[field] is None else own[field] / other[field]
        for own, other in zip(plugin, stock, strict=True)
        if own["name"] != "well" and other[field] and not (own["name"] == "fault" and own["from_s"] < _FROM_S)
    ]
    return max(ratios, default=None)
