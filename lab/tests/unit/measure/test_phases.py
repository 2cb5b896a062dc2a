# SPDX-License-Identifier: Apache-2.0
from itertools import pairwise

from isotherm_lab.measure.phases import BACK_WINDOWS, FaultMoments, Moments, fault_phases, phases


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


def test_a_fault_has_windows_from_its_beginning_and_from_its_end():
    cut = fault_phases(FaultMoments(well=100, well_ended=110, began=115, ended=145.1, until=177))
    assert [(phase.name, phase.from_s, phase.to_s, phase.origin_s) for phase in cut] == [
        ("well", 0, 10, 100),
        ("fault", 0, 5, 115), ("fault", 5, 15, 115), ("fault", 15, 30, 115),
        ("after", 0, 5, 145.1), ("after", 5, 15, 145.1), ("after", 15, 30, 145.1),
    ]  # fmt: skip


def test_the_last_window_of_a_short_fault_is_as_long_as_it_was():
    cut = fault_phases(FaultMoments(well=0, well_ended=10, began=10, ended=18, until=24))
    windows = [(phase.name, phase.from_s, phase.to_s) for phase in cut[1:]]
    assert windows == [("fault", 0, 5), ("fault", 5, 8), ("after", 0, 5), ("after", 5, 6)]


def test_a_window_too_short_for_a_percentile_is_left_out():
    cut = fault_phases(FaultMoments(well=0, well_ended=10, began=10, ended=15.9, until=40))
    assert [(phase.from_s, phase.to_s) for phase in cut if phase.name == "fault"] == [(0, 5)]
