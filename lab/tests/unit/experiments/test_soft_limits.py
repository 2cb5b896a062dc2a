# SPDX-License-Identifier: Apache-2.0
"""The rows of the sweep of soft limits, and the tables of the experiments beside the slow leader."""

import pytest
from slow_leader_turns import turn
from terminal import shown

from isotherm_lab.experiments import held_up, leader_killed, soft_limits


def test_a_row_has_the_latencies_at_its_slowness_and_what_the_slow_node_led():
    turns = [turn("isotherm", "warm-up", 900.0), turn("isotherm", "3", 5.0), turn("isotherm", "20", 6.0)]
    account = {"acknowledged": 3600, "timed_out": 0, "failed": 0, "counted": 3600}
    row = soft_limits.row(16, 20, turns, account)
    assert (row["soft_limit"], row["slowness"], row["p50_ms"], row["exact"]) == (16, 20, 6, True)
    assert row["slow_leads"] == pytest.approx(0.25)
    assert not soft_limits.row(16, 3, turns, account | {"counted": 3601})["exact"]


def test_the_tables_fit_a_terminal():
    account = {"acknowledged": 3600, "timed_out": 12, "failed": 3, "counted": 3607}
    row = soft_limits.row(16, 20, [turn("isotherm", "20", 6.0)], account)
    lines = shown(soft_limits.table([row]))
    killed = {"cassandra": account | {"exact": True}, "isotherm": account | {"exact": False}}
    lines += shown(leader_killed.table(killed))
    held = dict.fromkeys(held_up.kinds(), 7)
    lines += shown(held_up.table({"cassandra": held, "isotherm": held}))
    assert any("25.0" in line and "20 x" in line for line in lines)
    assert sum(line.rstrip().endswith("NO") for line in lines) == 1


def test_every_kind_of_write_is_made_for_each_number():
    assert len(held_up.kinds()) == 4
    for make in held_up.kinds().values():
        assert make(1) is not make(2)
