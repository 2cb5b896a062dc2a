# SPDX-License-Identifier: Apache-2.0
import numpy as np

from isotherm_lab.measure.node_counters import COLUMNS, NodeCounters
from isotherm_lab.measure.rejoining import rejoined_s, share_regained_s

UP = 1000.0


def node(rates: list[float]) -> NodeCounters:
    """A node that reads at these rates, one per second, from UP on."""
    sums = np.concatenate([[0.0], np.cumsum(rates)])
    times = UP + np.arange(sums.size)
    return NodeCounters(times, {name: sums for name in COLUMNS})


def rejoined(restarted: list[float]) -> float | None:
    other = node([100.0] * len(restarted))
    nodes = {"127.0.0.1": other, "127.0.0.2": other, "127.0.0.3": node(restarted)}
    return rejoined_s(nodes, "127.0.0.3", UP, UP + len(restarted))


def test_a_node_that_carries_its_part_at_once():
    assert rejoined([100.0] * 40) == 2.5


def test_a_node_that_never_does():
    assert rejoined([0.0] * 40) is None


def test_the_return_counts_from_the_middle_of_the_first_sufficient_window():
    assert rejoined([0.0] * 20 + [100.0] * 20) == 22.5


def test_a_relapse_starts_over():
    assert rejoined([100.0] * 10 + [0.0] * 10 + [100.0] * 20) == 22.5


def test_a_return_in_the_last_moments_does_not_count():
    assert rejoined([0.0] * 34 + [100.0] * 6) is None


def regained(rates: list[float], requests_per_s: list[int] = ()) -> float | None:
    """The node reads 100/s while well, for 10 s before UP, at 50 requests/s; these are offered afterwards too."""
    offered = [50] * 10 + list(requests_per_s or [50] * len(rates))
    arrivals = np.concatenate([UP - 10 + second + (np.arange(n) + 0.5) / n for second, n in enumerate(offered)])
    sums = np.concatenate([[0.0], np.cumsum([100.0] * 10 + rates)])
    counters = NodeCounters(UP - 10 + np.arange(sums.size), {name: sums for name in COLUMNS})
    return share_regained_s(counters, arrivals, (UP - 10, UP), UP, UP + len(rates))


def test_a_share_that_was_never_lost_is_regained_at_once():
    assert regained([100.0] * 30) == 0
    assert regained([91.0] * 30) == 0


def test_a_share_is_regained_when_the_rate_stays_at_nine_tenths_of_it():
    assert regained([0.0] * 8 + [100.0] * 22) == 8
    assert regained([100.0] * 10 + [30.0] * 5 + [100.0] * 15) == 15


def test_a_share_that_is_not_regained_or_too_late_to_be_sure():
    assert regained([89.0] * 30) is None
    assert regained([0.0] * 21 + [100.0] * 9) is None


def test_fewer_requests_are_no_loss_and_more_are_no_gain():
    assert regained([50.0] * 30, [25] * 30) == 0
    assert regained([100.0] * 30, [60] * 30) is None
