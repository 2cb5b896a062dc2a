# SPDX-License-Identifier: Apache-2.0
"""What is counted of a rolling restart."""

import numpy as np
from terminal import shown

from isotherm_lab.experiments.rolling_restart import Restart, account, table
from isotherm_lab.measure.samples import RECORD

#: Nodes are away from second 10 to 15 and from 40 to 45; the second is what a run ends 30 s after.
RESTARTS = [Restart("127.0.0.1", 10, 15, 40), Restart("127.0.0.2", 40, 45, 60)]


def records(*reads: tuple[float, float, int]) -> np.ndarray:
    return np.array([(int(at * 1e6), int(ms * 1000), outcome, 0) for at, ms, outcome in reads], dtype=RECORD)


def test_reads_count_from_the_first_stop_to_half_a_minute_after_the_last_return():
    seen = account(
        records(
            (1, 500, 1), (2, 4, 0), (3, 6, 0), (10, 100, 0), (11, 101, 0), (50, 9000, 1), (74.9, 20, 0), (75, 9, 1)
        ),
        began=2,
        restarts=RESTARTS,
    )
    assert seen["before"] == {"reads": 2, "failed": 0, "slow": 0, "p50_ms": 6.0, "p99_ms": 6.0}
    assert seen["restarts"] == {"reads": 4, "failed": 1, "slow": 1, "p50_ms": 101.0, "p99_ms": None}
    assert seen["took_s"] == 35
    assert seen["waited_s"] == {"127.0.0.1": 25, "127.0.0.2": 15}


def test_without_an_answer_there_is_no_percentile():
    seen = account(records((50, 9000, 1)), began=2, restarts=RESTARTS)
    assert seen["before"]["p50_ms"] is seen["restarts"]["p99_ms"] is None
    assert any("none" in line for line in shown(table({"without waiting": seen})))


def test_the_table_fits_a_terminal():
    seen = account(records((1, 13, 0), (2, 40, 0), (50, 4149, 0)), began=0, restarts=RESTARTS)
    lines = shown(table({"without waiting": seen, "with isotherm-wait-warm": seen}))
    assert any("4,149" in line for line in lines) and not any("…" in line for line in lines)
