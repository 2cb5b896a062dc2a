# SPDX-License-Identifier: Apache-2.0
from itertools import pairwise

import numpy as np
import pytest

from isotherm_lab.measure import paired


def test_a_block_goes_there_and_back():
    assert paired.counterbalanced(["A", "B", "C"]) == ["A", "B", "C", "C", "B", "A"]


def test_over_the_blocks_each_follows_itself_as_often_as_the_others_do():
    for names in ("AB", "ABC"):
        order = [name for block in range(12 * len(names)) for name in paired.counterbalanced(names, block)]
        after_another = {name: 0 for name in names}
        for before, name in pairwise(order):
            after_another[name] += before != name
        assert max(after_another.values()) - min(after_another.values()) <= 1, after_another


def test_equal_ratios_leave_no_doubt():
    below = np.array([[100.0, 250.0], [400.0, 90.0]])
    found = paired.ratio(below * 0.75, below)
    assert (found.median, found.low, found.high) == pytest.approx((0.75, 0.75, 0.75))


def test_a_steady_drift_cancels():
    # 40 % slower at the end than at the start; B is worth 0.98 of A.
    worth = {"A": 1.0, "B": 0.98}
    order = paired.counterbalanced("AB") * 10
    seen = {name: [] for name in worth}
    for name, speed in zip(order, np.linspace(1.0, 0.6, len(order)), strict=True):
        seen[name].append(worth[name] * speed)
    a, b = (np.array(seen[name]).reshape(-1, 2) for name in "AB")
    assert paired.ratio(b, a).median == pytest.approx(0.98, abs=1e-3)


def test_one_disturbed_window_does_not_move_the_median():
    plain = np.full((10, 2), 1000.0)
    other = np.full((10, 2), 990.0)
    other[4, 1] = 300.0
    found = paired.ratio(other, plain)
    assert (found.median, found.low, found.high) == pytest.approx((0.99, 0.99, 0.99))


def test_the_interval_covers_the_truth_as_often_as_it_claims():
    source = np.random.default_rng(5)
    runs, covered = 150, 0
    for run in range(runs):
        noise = source.normal(0, 0.03, (2, 10, 2))
        found = paired.ratio(980 * np.exp(noise[0]), 1000 * np.exp(noise[1]), seed=run)
        assert found.low <= found.median <= found.high
        covered += found.low <= 0.98 <= found.high
    # 95 % claimed; three standard deviations of 150 trials are 5 %, and few blocks make a bootstrap a little bold.
    assert covered / runs > 0.87


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (np.ones((3, 2)), np.ones((4, 2))),
        (np.ones((3, 3)), np.ones((3, 3))),
        (np.ones((0, 2)), np.ones((0, 2))),
        (np.ones((1, 2)), np.zeros((1, 2))),
    ],
)
def test_what_is_no_pair_is_refused(above: np.ndarray, below: np.ndarray):
    with pytest.raises(ValueError, match=r"shape|above 0"):
        paired.ratio(above, below)


def test_the_ratio_of_sums_bears_noise_that_single_windows_do_not():
    source = np.random.default_rng(5)
    above, below = 20 + source.normal(0, 30, (200, 2)), 100 + source.normal(0, 30, (200, 2))
    assert (above < 0).any()
    found = paired.ratio_of_sums(above, below)
    assert found.low < 0.2 < found.high and found.median == pytest.approx(0.2, abs=0.03)
    assert found.high - found.low < 0.1


def test_a_steady_drift_cancels_in_the_ratio_of_sums():
    # A B B A with a machine that slows down by the same amount from window to window.
    at = np.arange(8.0).reshape(2, 4)
    above, below = 10 + at[:, [0, 3]], 10 + at[:, [1, 2]]
    assert paired.ratio_of_sums(above, below).median == 1


def test_sums_that_are_noise_alone_are_refused():
    with pytest.raises(ValueError, match="above 0"):
        paired.ratio_of_sums(np.ones((4, 2)), -np.ones((4, 2)))
