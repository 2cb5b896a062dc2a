# SPDX-License-Identifier: Apache-2.0
"""The tables of `make simulate`, put into a page: python -m isotherm_lab.charts.simulation_page FOLDER DOCUMENT."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from isotherm_lab.charts.simulation import SUMMARY
from isotherm_lab.errors import LabError
from isotherm_lab.measure import documented_table

Scenario = Mapping[str, Any]

ISOTHERM, UNIFORM, STATIC, SHUNNING = "isotherm", "uniform", "static", "shunning"
LOCAL, AFFINITY = "local", "affinity"
_LAB, _AUTO, _MIXED = "as in the lab: ", "placement auto: ", "every second coordinator has placement affinity"
_ROW_CACHE = ", heat from the row cache"
#: What is said of the time after an event is said from so long after it on.
_SETTLED_S = 5
_FIRST = "p99 before | first 5 s | after | mean | lost | rejoined | disk load | processor load".split(" | ")
_OF_UNIFORM = "first 5 s | after | mean | lost".split(" | ")


def fill(folder: Path, document: Path) -> None:
    """Put every table into the document; LabError without a summary, or without the places for them."""
    try:
        summary = json.loads((folder / SUMMARY).read_text())
    except OSError as error:
        raise LabError(f"There is no summary in {folder}: `make simulate` makes one.") from error
    for name, table in TABLES.items():
        documented_table.put(document, name, table(summary["scenarios"]), made_by="make simulate")


def beside_the_lab(scenarios: Sequence[Scenario]) -> str:
    """Return the table of what the lab measured under the same load."""
    figures = ("rejoined_s", "first_misses_of_warm", "first_misses_of_cold")
    rows = []
    for each in scenarios:
        if each["name"].startswith(_LAB):
            own, measured = _of(each, ISOTHERM), each["measured"]
            # What was not measured is not compared.
            pairs = [
                _figure(side[name]) if measured[name] is not None else ""
                for name in figures
                for side in (own, measured)
            ]
            rows.append([f"`{each['name'].removeprefix(_LAB)}`", *pairs])
    called = ("rejoined after s", "misses/s of a warm node, first 5 s", "of the cold node")
    heading = ["", *(text for name in called for text in (f"{name}: simulated", "measured"))]
    return documented_table.markdown(heading, rows, names=1)


def reads(scenarios: Sequence[Scenario]) -> str:
    """Return the table of all scenarios beside random replicas, but for those that have tables of their own."""
    return _beside_uniform(_grouped(_plain(scenarios)))


def row_cache(scenarios: Sequence[Scenario]) -> str:
    """Return the same of the scenarios in which a row cache is the source of heat."""
    own = [{**each, "name": each["name"].removesuffix(_ROW_CACHE)} for each in scenarios if _is_row_cache(each)]
    return _beside_uniform(_grouped(own))


def stock(scenarios: Sequence[Scenario]) -> str:
    """Return the table beside the orders that Cassandra has itself; a row is without one that is not simulated."""
    own = [each for each in _grouped(_plain(scenarios)) if _of(each, STATIC)]
    heading = ["scenario", "nodes"]
    heading += [f"{name}: {figure}" for name in ("Isotherm", STATIC, SHUNNING) for figure in ("mean", "p99", "lost")]
    rows = [
        [*_named(each), *(text for policy in (ISOTHERM, STATIC, SHUNNING) for text in _later(_of(each, policy)))]
        for each in own
    ]
    return documented_table.markdown(heading, rows, names=1)


def placement(scenarios: Sequence[Scenario]) -> str:
    """Return the table of the nodes that choose the placement, beside one placement throughout."""
    heading = ["scenario", "nodes", "from s", "auto: mean", "misses/s", "changes", "last at s"]
    heading += [f"{name}: {figure}" for name in (LOCAL, AFFINITY) for figure in ("mean", "misses/s")]
    heading += [f"{name}: mean" for name in (STATIC, SHUNNING)]
    rows = []
    for each in scenarios:
        if each["name"].startswith(_AUTO):
            auto = _of(each, ISOTHERM)
            changes = auto["placement_changes"]
            row = [each["name"].removeprefix(_AUTO), str(each["nodes"]), str(each["event_s"] + _SETTLED_S)]
            row += [*_missed(auto), str(changes), str(auto["last_placement_change_s"]) if changes else ""]
            row += [text for policy in (LOCAL, AFFINITY) for text in _missed(_of(each, policy))]
            row += [_missed(_of(each, policy))[0] for policy in (STATIC, SHUNNING)]
            rows.append(row)
    return documented_table.markdown(heading, rows, names=1)


#: The tables by the names of their places in the page.
TABLES: Mapping[str, Callable[[Sequence[Scenario]], str]] = {
    "the lab": beside_the_lab,
    "reads": reads,
    "stock": stock,
    "row cache": row_cache,
    "placement": placement,
}


def _plain(scenarios: Sequence[Scenario]) -> list[Scenario]:
    return [
        each for each in scenarios if not each["name"].startswith((_LAB, _AUTO, _MIXED)) and not _is_row_cache(each)
    ]


def _is_row_cache(scenario: Scenario) -> bool:
    return bool(scenario["name"].endswith(_ROW_CACHE))


def _grouped(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Return those of one name one after the other, the smaller clusters first."""
    names = list(dict.fromkeys(each["name"] for each in scenarios))
    return sorted(scenarios, key=lambda each: (names.index(each["name"]), each["nodes"]))


def _beside_uniform(scenarios: Sequence[Scenario]) -> str:
    heading = ["scenario", "nodes", *_FIRST, *(f"uniform: {figure}" for figure in _OF_UNIFORM)]
    rows = []
    for each in scenarios:
        own, uniform = _of(each, ISOTHERM), _of(each, UNIFORM)
        row = [*_named(each), _ms(own["down_p99_ms"]), *_fared(own), _rejoined(each, own)]
        row += [f"{own[f'highest_{station}_load']:.2f}" for station in ("disk", "processor")]
        rows.append(row + _fared(uniform))
    return documented_table.markdown(heading, rows, names=1)


def _of(scenario: Scenario, policy: str) -> dict[str, Any]:
    """Return what came of a policy; nothing where it was not simulated."""
    return next((each for each in scenario["outcomes"] if each["policy"] == policy), {})


def _named(scenario: Scenario) -> list[str]:
    return [scenario["name"], str(scenario["nodes"])]


def _fared(own: Mapping[str, Any]) -> list[str]:
    return [_ms(own["first_p99_ms"]), _ms(own["p99_ms"]), _ms(own["mean_ms"]), _lost(own)]


def _later(own: Mapping[str, Any]) -> list[str]:
    return [_ms(own["mean_ms"]), _ms(own["p99_ms"]), _lost(own)] if own else ["", "", ""]


def _missed(own: Mapping[str, Any]) -> list[str]:
    return [_ms(own["mean_ms"]), f"{own['misses']:.0f}"] if own else ["", ""]


def _lost(own: Mapping[str, Any]) -> str:
    return f"{own['timed_out'] + own['failed']:,}"


def _rejoined(scenario: Scenario, own: Mapping[str, Any]) -> str:
    if not scenario["can_rejoin"]:
        return ""
    return "never" if own["rejoined_s"] is None else f"{own['rejoined_s']:.0f} s"


def _figure(value: float | None) -> str:
    """Return a figure of which none says that it never came about."""
    return "never" if value is None else f"{value:.1f}"


def _ms(value: float) -> str:
    """Return milliseconds with about three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


if __name__ == "__main__":
    try:
        fill(Path(sys.argv[1]), Path(sys.argv[2]))
    except LabError as error:
        sys.exit(str(error))
