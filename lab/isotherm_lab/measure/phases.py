# SPDX-License-Identifier: Apache-2.0
"""The stretches of time into which an experiment is cut."""

from collections.abc import Sequence
from dataclasses import dataclass

#: Seconds after a fault began, and after it ended.
FAULT_WINDOWS = ((0, 5), (5, 15), (15, 30))
#: A percentile of less than this says nothing.
LEAST_WINDOW_S = 1.0
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

    @property
    def stretch(self) -> "Stretch":
        """What a chart shows: second 0 is when the node answered again."""
        return Stretch(self.before, self.up, self.end)


@dataclass(frozen=True)
class Stretch:
    """A stretch of time, in seconds since the epoch, and the moment in it from which its seconds are counted."""

    begin: float
    zero: float
    end: float


def phases(moments: Moments, windows: Sequence[tuple[float, float]] = BACK_WINDOWS) -> list[Phase]:
    """Return before, down, and one `back` per window that was observed in full."""
    found = [
        Phase("before", 0, moments.down - moments.before, moments.before),
        Phase("down", 0, moments.up - moments.down, moments.down),
    ]
    found += [Phase("back", a, b, moments.up) for a, b in windows if moments.up + b <= moments.end + 1e-6]
    return found


@dataclass(frozen=True)
class FaultMoments:
    """When a fault was and what was before and after it, in seconds since the epoch."""

    well: float
    #: The end of `well`. What the fault takes to be prepared is in no phase.
    well_ended: float
    began: float
    ended: float
    until: float
    #: Whether what came before had faded when `well` began: if not, `well` does not say how it is while all are well.
    settled: bool = True

    @property
    def stretch(self) -> Stretch:
        """What a chart shows: second 0 is when the fault began."""
        return Stretch(self.well, self.began, self.until)


def fault_phases(moments: FaultMoments, windows: Sequence[tuple[float, float]] = FAULT_WINDOWS) -> list[Phase]:
    """Return `well`, and `fault` and `after` once per window; a window that is cut short is as long as it was."""
    found = [Phase("well", 0, moments.well_ended - moments.well, moments.well)]
    for name, begin, end in (("fault", moments.began, moments.ended), ("after", moments.ended, moments.until)):
        lasted = end - begin
        found += [Phase(name, a, min(b, lasted), begin) for a, b in windows if lasted - a >= LEAST_WINDOW_S]
    return found
