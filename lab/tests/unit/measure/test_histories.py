# SPDX-License-Identifier: Apache-2.0
"""The checker of histories accepts what QUORUM allows and nothing else. Needs no cluster."""

import random

import pytest

from isotherm_lab.measure.histories import READ, WRITE, Operation, violations


def write(value: int, began: float, ended: float, error: str = "", key: int = 1) -> Operation:
    return Operation(WRITE, key, value, began, ended, error=error)


def read(value: int, began: float, ended: float, error: str = "", key: int = 1) -> Operation:
    return Operation(READ, key, value, began, ended, error=error)


@pytest.mark.parametrize(
    "history",
    [
        [],
        [read(0, 0, 1)],
        [write(1, 0, 1), read(1, 2, 3)],
        [write(1, 0, 3), read(0, 1, 2)],  # still under way: not seen yet
        [write(1, 0, 3), read(1, 1, 2)],  # still under way: seen already
        [write(1, 0, 1), write(2, 2, 9, "timeout"), read(1, 10, 11), read(2, 12, 13)],  # happened late
        [write(1, 0, 1), write(2, 2, 9, "timeout"), read(2, 3, 4)],
        [write(1, 0, 1), write(2, 2, 5), read(2, 3, 6), read(1, 2.5, 5.5)],  # overlapping reads may differ
        [write(1, 0, 1), read(0, 2, 3, "timeout")],  # a failed read says nothing
        [write(1, 0, 1, key=1), read(0, 2, 3, key=2)],  # keys are separate
    ],
)
def test_sound_histories_are_accepted(history):
    assert violations(history) == []


@pytest.mark.parametrize(
    ("history", "complaint"),
    [
        ([write(1, 0, 1), read(0, 2, 3)], "stale"),
        ([write(1, 0, 1), write(2, 2, 3), write(3, 4, 5, "timeout"), read(1, 6, 7)], "stale"),
        ([write(1, 0, 1), read(2, 2, 3)], "from nowhere"),
        ([read(1, 0, 1), write(1, 2, 3)], "from nowhere"),
        ([write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)], "goes back"),
        ([write(1, 0, 1), write(2, 2, 9, "timeout"), read(2, 3, 4), read(1, 5, 6)], "goes back"),
    ],
)
def test_a_broken_promise_is_found(history, complaint):
    found = violations(history)
    assert len(found) == 1
    assert complaint in found[0]


def test_one_stale_read_among_thousands_is_found():
    source = random.Random(7)
    history, now, value = [], 0.0, 0
    for _ in range(3000):
        began, now = now, now + source.random()
        if source.random() < 0.3:
            value += 1
            history.append(write(value, began, now))
        else:
            history.append(read(value, began, now))
    assert violations(history) == []
    place = max(index for index, operation in enumerate(history) if operation.kind == READ)
    spoilt = history[place]
    history[place] = read(spoilt.value - 1, spoilt.began, spoilt.ended)
    assert any("stale" in sentence for sentence in violations(history))
