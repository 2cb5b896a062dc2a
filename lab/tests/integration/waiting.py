# SPDX-License-Identifier: Apache-2.0
"""Waiting for a condition with a deadline.

Without a condition these tests let time pass only where they watch for a set time, and to pace their own load.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from isotherm_lab.measure.stolen_time import own_seconds, read

T = TypeVar("T")
_POLL_S = 0.1
#: What of the time counts however much others take: a wait ends.
_LEAST_OWN = 0.1


def until(condition: Callable[[], T], what: str, timeout_s: float = 60) -> T:
    """Return the first true answer of the condition; AssertionError saying what was awaited when none comes.

    The deadline is one of this machine's own time: what others take of its processors meanwhile is added.
    """
    spent_s = 0.0
    before = read()
    while True:
        answer = condition()
        if answer:
            return answer
        if spent_s > timeout_s:
            raise AssertionError(f"{what}: not within {timeout_s:.0f} s (last answer: {answer!r})")
        time.sleep(_POLL_S)
        now = read()
        spent_s += max(own_seconds(before, now), _LEAST_OWN * (now.epoch_s - before.epoch_s))
        before = now
