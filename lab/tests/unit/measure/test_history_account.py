# SPDX-License-Identifier: Apache-2.0
"""What is left after a history must be what it can have made."""

import pytest

from isotherm_lab.measure.histories import ADD, WRITE, Operation
from isotherm_lab.measure.history_account import lost, miscounted


def adds(acknowledged: int, failed: int, key: int = 1) -> list[Operation]:
    ended = [Operation(ADD, key, 1, 0, 1)] * acknowledged
    return ended + [Operation(ADD, key, 1, 0, 1, error="WriteTimeout")] * failed


@pytest.mark.parametrize("counted", [5, 6, 7])
def test_a_failed_update_may_have_been_counted(counted: int):
    assert miscounted(adds(5, 2), {1: counted}) == []


@pytest.mark.parametrize("counted", [4, 8])
def test_a_lost_update_and_one_counted_twice(counted: int):
    (sentence,) = miscounted(adds(5, 2) + adds(3, 0, key=2), {1: counted, 2: 3})
    assert sentence == f"counter 1 holds {counted}: 5 of 7 updates acknowledged"


def test_a_counter_that_is_not_there_holds_nothing():
    assert miscounted(adds(1, 0), {}) != []
    assert miscounted(adds(0, 1), {}) == []


WRITES = [Operation(WRITE, 1, 1, 0, 1), Operation(WRITE, 1, 2, 1, 2), Operation(WRITE, 1, 3, 2, 3, error="timeout")]


@pytest.mark.parametrize("found", [2, 3])
def test_a_failed_write_may_have_happened(found: int):
    assert lost(WRITES, {1: found}) == []


@pytest.mark.parametrize("found", [{1: 1}, {1: 4}, {}])
def test_a_lost_write_and_one_from_nowhere(found: dict[int, int]):
    (sentence,) = lost(WRITES, found)
    assert sentence.endswith("2 was acknowledged, and 3 is the last written")
