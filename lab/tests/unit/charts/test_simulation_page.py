# SPDX-License-Identifier: Apache-2.0
"""The tables of the page have what the summary of `make simulate` has."""

import json
from pathlib import Path
from typing import Any

import pytest

from isotherm_lab.charts import simulation_page
from isotherm_lab.charts.simulation import SUMMARY
from isotherm_lab.errors import LabError
from isotherm_lab.paths import project_root


def outcome(policy: str, **more: Any) -> dict[str, Any]:
    own = {
        "policy": policy, "down_p99_ms": 30.04, "first_p99_ms": 1234.5, "p99_ms": 99.94, "mean_ms": 0.804,
        "timed_out": 1_200, "failed": 34, "rejoined_s": 28.4, "misses": 12.4, "placement_changes": 1,
        "last_placement_change_s": 121, "highest_disk_load": 0.994, "highest_processor_load": 0.04,
        "first_misses_of_warm": 94.6, "first_misses_of_cold": 85.5,
    }  # fmt: skip
    return own | more


def scenario(name: str, nodes: int, *policies: str, **more: Any) -> dict[str, Any]:
    own = {"name": name, "nodes": nodes, "event_s": 300, "can_rejoin": True, "measured": None}
    return own | {"outcomes": [outcome(policy) for policy in policies]} | more


def lines(table: str) -> list[str]:
    """Return the rows without heading and rule."""
    return table.splitlines()[2:]


ALL = ("isotherm", "uniform", "static", "shunning")


def test_scenarios_of_one_name_follow_each_other_by_size():
    found = [scenario("one", 99, *ALL), scenario("two", 12, *ALL), scenario("one", 3, *ALL)]
    assert [row.split(" | ")[:2] for row in lines(simulation_page.reads(found))] == [
        ["| one", "3"], ["| one", "99"], ["| two", "12"],
    ]  # fmt: skip


def test_a_row_has_what_befell_both():
    own = scenario("one", 3, outcomes=[outcome("isotherm"), outcome("uniform", mean_ms=8.4, timed_out=0, failed=0)])
    assert lines(simulation_page.reads([own])) == [
        "| one | 3 | 30.0 | 1,234 | 99.9 | 0.80 | 1,234 | 28 s | 0.99 | 0.04 | 1,234 | 99.9 | 8.4 | 0 |"
    ]
    never = scenario("one", 3, outcomes=[outcome("isotherm", rejoined_s=None), outcome("uniform")])
    assert " | never | " in simulation_page.reads([never])
    assert " | 1,234 |  | 0.99 |" in simulation_page.reads([never | {"can_rejoin": False}])


def test_what_has_a_table_of_its_own_is_in_no_other():
    found = [
        scenario("as in the lab: make demo", 3, *ALL),
        scenario("placement auto: all hits", 3, *ALL, "local", "affinity"),
        scenario("every second coordinator has placement affinity", 3, *ALL),
        scenario("one, heat from the row cache", 12, *ALL), scenario("one", 12, *ALL),
    ]  # fmt: skip
    assert len(lines(simulation_page.reads(found))) == len(lines(simulation_page.stock(found))) == 1
    assert [row.split(" | ")[0] for row in lines(simulation_page.row_cache(found))] == ["| one"]
    assert [row.split(" | ")[0] for row in lines(simulation_page.placement(found))] == ["| all hits"]


def test_beside_cassandras_orders_are_those_that_were_simulated_beside_one():
    found = [scenario("one", 3, "isotherm", "uniform"), scenario("one", 999, "isotherm", "uniform", "static")]
    assert lines(simulation_page.stock(found)) == ["| one | 999 | 0.80 | 99.9 | 1,234 | 0.80 | 99.9 | 1,234 |  |  |  |"]


def test_what_was_not_measured_is_not_compared():
    measured = {"rejoined_s": 33.5, "first_misses_of_warm": None, "first_misses_of_cold": 75.0}
    own = scenario("as in the lab: make demo", 3, "isotherm", measured=measured)
    assert lines(simulation_page.beside_the_lab([own])) == ["| `make demo` | 28.4 | 33.5 |  |  | 85.5 | 75.0 |"]


def test_a_node_that_never_rejoins_in_the_simulation_is_said_beside_the_one_that_did():
    measured = {"rejoined_s": 33.5, "first_misses_of_warm": None, "first_misses_of_cold": 75.0}
    own = scenario("as in the lab: make demo", 3, outcomes=[outcome("isotherm", rejoined_s=None)], measured=measured)
    assert lines(simulation_page.beside_the_lab([own])) == ["| `make demo` | never | 33.5 |  |  | 85.5 | 75.0 |"]


def test_changes_and_their_last_instant():
    own = scenario("placement auto: all hits", 3, "isotherm", "local")
    assert lines(simulation_page.placement([own])) == [
        "| all hits | 3 | 305 | 0.80 | 12 | 1 | 121 | 0.80 | 12 |  |  |  |  |"
    ]


def test_the_page_has_the_places_and_is_filled(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text((project_root() / "docs" / "simulation.md").read_text())
    (tmp_path / SUMMARY).write_text(json.dumps({"scenarios": [scenario("one", 3, *ALL)]}))
    simulation_page.fill(tmp_path, page)
    filled = page.read_text()
    assert filled.count("| one | 3 |") == 2
    simulation_page.fill(tmp_path, page)
    assert page.read_text() == filled
    with pytest.raises(LabError, match="There is no summary"):
        simulation_page.fill(tmp_path / "elsewhere", page)
