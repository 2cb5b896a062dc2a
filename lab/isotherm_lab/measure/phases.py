# SPDX-License-Identifier: Apache-2.0
"""The stretches of time into which an experiment is cut."""

from collections.abc import Sequence
from dataclasses import dataclass

#: Seconds after the restarted node answers CQL.
BACK_WINDOWS = ((0, 5), (5, 10), (10, 20), (20, 30), (30, 45), (45, 60), (60, 90))


@dataclass(frozen=True)
class Phase:
    """A named stretch; from_s and to_s count from `origin_s`, seconds since the epoch."""

    name: str
    from_s: float
    to_s: float
    origin_s: float

    @property
    def begin(self) -> float:
        """Its beginning, in seconds since the epoch."""
        return self.origin_s + self.from_s

    @property
    def end(self) -> float:
        """Its end, in seconds since the epoch."""
        return self.origin_s + self.to_s


@dataclass(frozen=True)
class Moments:
    """What happened when, in seconds since the epoch."""

    before: float
    down: float
    up: float
    end: float


def phases(moments: Moments, windows: Sequence[tuple[float, float]] = BACK_WINDOWS) -> list[Phase]:
    """Return before, down, and one `back` per window that was observed in full."""
    found = [
        Phase("before", 0, moments.down - moments.before, moments.before),
        Phase("down", 0, moments.up - moments.down, moments.down),
    ]
    found += [Phase("back", a, b, moments.up) for a, b in windows if moments.up + b <= moments.end + 1e-6]
    return found
