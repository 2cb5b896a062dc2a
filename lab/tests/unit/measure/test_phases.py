# SPDX-License-Identifier: Apache-2.0
from itertools import pairwise

from isotherm_lab.measure.phases import BACK_WINDOWS, Moments, phases


def test_windows_follow_the_return_and_cover_it_without_a_gap():
    cut = phases(Moments(before=100, down=125, up=140, end=240))
    assert [phase.name for phase in cut] == ["before", "down"] + ["back"] * len(BACK_WINDOWS)
    assert (cut[0].begin, cut[0].end) == (100, 125)
    assert (cut[1].begin, cut[1].end) == (125, 140)
    assert cut[2].begin == 140
    for earlier, later in pairwise(cut):
        assert earlier.end == later.begin
    assert cut[-1].end == 230


def test_a_window_that_was_not_observed_in_full_is_left_out():
    cut = phases(Moments(before=0, down=10, up=20, end=52))
    assert [(phase.from_s, phase.to_s) for phase in cut if phase.name == "back"] == [
        (0, 5),
        (5, 10),
        (10, 20),
        (20, 30),
    ]
