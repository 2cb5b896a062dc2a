# SPDX-License-Identifier: Apache-2.0
"""The checker accepts what is linearizable and nothing else; Porcupine's own work is not tested here."""

import shutil

import pytest

from isotherm_lab.measure.histories import READ, SWAP, WRITE, Operation
from isotherm_lab.measure.linearizable import check

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go to build it with")


def swap(expected: int, value: int, began: float, ended: float, applied: bool = True, error: str = "") -> Operation:
    return Operation(SWAP, 1, value, began, ended, error=error, expected=expected, applied=applied)


def read(value: int, began: float, ended: float, key: int = 1) -> Operation:
    return Operation(READ, key, value, began, ended)


SOUND = {
    "one after the other": [swap(0, 1, 0, 1), swap(1, 2, 2, 3), read(2, 4, 5)],
    "another was first": [swap(0, 1, 0, 2), swap(0, 2, 0, 3, applied=False), read(1, 4, 5)],
    "failed, and happened late": [swap(0, 1, 0, 1, error="timeout"), read(0, 2, 3), read(1, 4, 5)],
    "failed, and never happened": [swap(0, 1, 0, 1, error="timeout"), swap(0, 2, 2, 3), read(2, 4, 5)],
    "a failed read says nothing": [swap(0, 1, 0, 1), Operation(READ, 1, 0, 2, 3, error="timeout")],
    "a write that failed and is seen": [Operation(WRITE, 1, 1, 0, 1, error="timeout"), read(1, 2, 3)],
}
BROKEN = {
    "lost": [swap(0, 1, 0, 1), read(0, 2, 3)],
    "two found the same": [swap(0, 1, 0, 1), swap(0, 2, 2, 3)],
    "none found it": [swap(0, 1, 0, 1, applied=False)],
    "seen, and then not": [swap(0, 1, 0, 9, error="timeout"), read(1, 2, 3), read(0, 4, 5)],
    "from nowhere": [read(7, 0, 1)],
}


def test_each_history_gets_its_verdict():
    histories = SOUND | BROKEN
    verdict = check({name.replace(" ", "_"): history for name, history in histories.items()})
    assert verdict.registers == len(histories)
    assert {name.partition("/")[0].replace("_", " ") for name in verdict.broken} == set(BROKEN)
    assert verdict.undecided == ()


def test_keys_are_separate():
    verdict = check({"swaps": [swap(0, 1, 0, 1), read(0, 2, 3, key=2), read(5, 2, 3, key=3)]})
    assert (verdict.registers, verdict.broken) == (3, ("swaps/3",))
