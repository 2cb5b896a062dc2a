# SPDX-License-Identifier: Apache-2.0
"""When a cluster has settled, from made-up lines of the load's progress."""

import time
from collections.abc import Iterable

import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.gray.watch import Watch
from isotherm_lab.progress import Silent

#: A watch that lasts so long looks once, as the next look is due 0.5 s later; one of a millisecond looks not at all
#: where this thread has no processor in it.
ONE_LOOK_S = 0.05


class Load:
    """Prints a line of another second whenever it is looked at."""

    def __init__(self, medians: Iterable[float | None]):
        self._medians = iter(medians)
        self._second = 0

    def __call__(self) -> dict:
        self._second += 1
        return {"epoch_s": float(self._second), "p50_ms": next(self._medians), "errors": {"ReadTimeout": 2}}


def seen(usual: list[float | None], later: list[float | None]) -> Watch:
    """Return a watch that saw these medians while well for the first time, and those afterwards."""
    watch = Watch(Load(usual + later), Silent())
    for _ in usual:
        watch.well(ONE_LOOK_S)
    for _ in later:
        watch()
    return watch


@pytest.mark.parametrize(
    ("later", "calm"),
    [([10, 12, 14, 15], True), ([500, 10, 12, 14, 15], True), ([10, 12, 16, 10], False), ([10, 10, 10, None], False)],
)
def test_it_is_calm_when_the_last_four_seconds_are_as_usual(later, calm):
    assert seen([10.0], later).calm() is calm


def test_before_all_nodes_were_well_once_nobody_knows_what_is_usual():
    assert Watch(Load([]), Silent()).calm()


def test_the_first_time_says_what_is_usual_and_no_later_one():
    watch = seen([10.0, 900.0], [900.0] * 4)
    assert not watch.calm()


def test_failing_reads_are_not_what_is_usual():
    assert not seen([None], [900.0, 10.0, 10.0, None]).calm()
    # The next time says it.
    assert not seen([None, 10.0], [900.0] * 4).calm()
    assert seen([None, 10.0], [10.0] * 4).calm()


def test_a_line_that_is_seen_twice_is_one_second():
    watch = Watch(lambda: {"epoch_s": 7.0, "p50_ms": 10.0}, Silent())
    watch.well(ONE_LOOK_S)
    for _ in range(4):
        watch()
    assert not watch.calm()


def test_it_waits_until_the_cluster_has_settled_and_not_for_ever():
    watch = seen([10.0], [900.0])
    begun = time.monotonic()
    with pytest.raises(StopIteration):  # nothing more to see: it still waits
        watch.settle(0.0, 60.0)
    assert time.monotonic() - begun < 30
    stubborn = Watch(Load([10.0] + [900.0] * 1000), Silent())
    stubborn.well(ONE_LOOK_S)
    begun = time.monotonic()
    assert not stubborn.settle(0.05, 0.7)
    assert 0.7 <= time.monotonic() - begun < 10 and not stubborn.calm()
    assert Watch(Load([10.0] * 1000), Silent()).settle(0.05, 0.7)


def test_a_load_that_has_ended_ends_the_watch():
    def ended() -> dict:
        raise LabError("ended before its time")

    with pytest.raises(LabError, match="before its time"):
        Watch(ended, Silent()).settle(0.1, 1.0)
