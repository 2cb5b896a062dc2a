# SPDX-License-Identifier: Apache-2.0
"""Waiting for a condition with a deadline: the only way in which these tests let time pass."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_POLL_S = 0.1


def until(condition: Callable[[], T], what: str, timeout_s: float = 20) -> T:
    """Return the first true answer of the condition; AssertionError saying what was awaited when none comes."""
    deadline = time.monotonic() + timeout_s
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {timeout_s:.0f} s (last answer: {answer!r})")
        time.sleep(_POLL_S)
