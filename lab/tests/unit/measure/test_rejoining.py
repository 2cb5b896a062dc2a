# SPDX-License-Identifier: Apache-2.0
import numpy as np

from isotherm_lab.measure.node_counters import COLUMNS, NodeCounters
from isotherm_lab.measure.rejoining import rejoined_s

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
