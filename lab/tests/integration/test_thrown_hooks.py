# SPDX-License-Identifier: Apache-2.0
"""The soak's shortest form: every place at which Cassandra calls the plugin throws, and every operation is checked."""

import shutil
from dataclasses import replace

import pytest
from shared_cluster import FIRST_ADDRESS

from isotherm_lab.experiments.soak.faults import FAULTS
from isotherm_lab.experiments.soak.plan import PLUGIN, Plan
from isotherm_lab.experiments.soak.report import shortcomings
from isotherm_lab.experiments.soak.run import run
from isotherm_lab.progress import Silent

#: At least; it is longer where a place is not called within it.
THROWS_S = 5
WELL_S = 3
#: So few that also a slow machine does them: the checks say nothing of clients that stand still.
OPERATIONS = 300


@pytest.mark.long
@pytest.mark.skipif(shutil.which("go") is None, reason="The checker of histories is built with Go, which is not here.")
def test_no_history_is_broken_while_every_hook_throws_and_nothing_is_left_behind():
    plan = Plan((replace(FAULTS["hooks"], short_s=THROWS_S),), well_s=WELL_S, first_address=FIRST_ADDRESS)
    rows = list(run(plan, PLUGIN, {}, Silent()))
    assert shortcomings(rows) == []
    (row,) = rows
    assert row["violations"] == 0
    assert row["operations"] > OPERATIONS
    assert row["hooks"]
    # Where the order of the replicas by heat fails, that of large partitions has its turn, and fails as well.
    assert "SpreadReads.spread" in row["hooks"]
    # Cassandra tells of these by another way than messages.
    assert any(hook.startswith("ended (") for hook in row["hooks"])
    assert len(row["holdings"]) == 3
