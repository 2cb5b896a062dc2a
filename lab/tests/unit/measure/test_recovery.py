# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from isotherm_lab.measure import samples
from isotherm_lab.measure.recovery import p99_ms, recovered_s

BEGAN, ENDED = 1000.0, 1030.0


def reads(slow: list[tuple[float, float]], failed: list[tuple[float, float]] = ()) -> np.ndarray:
    """A hundred reads a second of 10 ms; of 90 ms in the slow stretches, and not answered in the failed ones."""
    seconds = np.arange(-5, 40, 0.01) + 0.005
    records = np.zeros(seconds.size, dtype=samples.RECORD)
    records["intended_us"] = np.round((BEGAN + seconds) * 1e6)
    records["latency_us"] = 10_000
    for begin, end in slow:
        records["latency_us"][(seconds >= begin) & (seconds < end)] = 90_000
    for begin, end in failed:
        records["outcome"][(seconds >= begin) & (seconds < end)] = 1
    return records


def recovered(slow: list[tuple[float, float]], failed: list[tuple[float, float]] = ()) -> float | None:
    return recovered_s(reads(slow, failed), 20.0, BEGAN, ENDED)


def test_a_fault_that_nobody_notices():
    assert recovered([]) == 0


def test_the_moment_after_which_nothing_is_slow():
    assert recovered([(0, 5)]) == 5
    assert recovered([(0, 4.9)]) == 5
    assert recovered([(0, 5.1)]) == 5.5


def test_a_relapse_counts():
    assert recovered([(0, 2), (20, 20.5)]) == 20.5


def test_a_fault_that_is_noticed_to_its_end():
    assert recovered([(0, 30)]) is None
    assert recovered([(29, 30)]) is None


def test_what_happens_before_the_fault_and_after_it_does_not_count():
    assert recovered([(-5, 0), (30, 40)]) == 0


def test_one_slow_request_in_a_hundred_is_below_the_percentile_and_a_few_are_not():
    records = reads([])
    records["latency_us"][600:601] = 90_000
    assert recovered_s(records, 20.0, BEGAN, ENDED) == 0
    records["latency_us"][600:603] = 90_000
    assert recovered_s(records, 20.0, BEGAN, ENDED) == pytest.approx(1.5)


def test_what_is_not_answered_is_slower_than_anything():
    assert recovered([], failed=[(0, 8)]) == 8
    assert recovered([], failed=[(0, 30)]) is None


def test_a_fault_shorter_than_a_stretch_shows_nothing():
    assert recovered_s(reads([]), 20.0, BEGAN, BEGAN + 1) is None
    assert recovered_s(reads([]), 20.0, BEGAN, BEGAN + 1.6) is None
    assert recovered_s(reads([]), 20.0, BEGAN, BEGAN + 2) == 0


def test_a_stretch_without_requests_is_not_fast():
    assert p99_ms(reads([])[:0]) == float("inf")
    assert p99_ms(reads([])) == 10
