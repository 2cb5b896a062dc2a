# SPDX-License-Identifier: Apache-2.0
"""The charts of `make simulate` show what its summary has."""

import json

import pytest

from isotherm_lab.charts import simulation
from isotherm_lab.errors import LabError

SERIES = {name: [1.0] * 60 for name in ("p50_ms", "p99_ms", "cold_reads", "cold_misses", "warm_reads", "warm_misses")}


def scenario(name: str, nodes: int, *policies: str) -> dict:
    outcomes = [{"policy": policy, "series": SERIES} for policy in policies]
    return {"name": name, "nodes": nodes, "event_s": 30, "outcomes": outcomes}


def test_a_picture_has_a_column_for_each_scenario_and_a_line_for_each_policy():
    figure = simulation.picture(
        [scenario("one cold node", 3, "isotherm", "uniform"), scenario("other", 12, "isotherm")]
    )
    assert len(figure.axes) == 6
    assert [len(axes.lines) - 1 for axes in figure.axes[:2]] == [2, 1]  # one line marks the event


def test_pictures_without_a_scenario_are_left_out(tmp_path):
    listed = [scenario("one cold node", 12, "isotherm", "uniform"), scenario("a table with few reads", 12, "isotherm")]
    (tmp_path / simulation.SUMMARY).write_text(json.dumps({"scenarios": listed}))
    assert [file.name for file in simulation.draw(tmp_path)] == ["sizes.png"]
    assert (tmp_path / "sizes.png").stat().st_size > 0


def test_no_summary_is_a_sentence(tmp_path):
    with pytest.raises(LabError, match="make simulate"):
        simulation.draw(tmp_path)
