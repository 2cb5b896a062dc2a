# SPDX-License-Identifier: Apache-2.0
"""How much of the processors' time went to other machines of the same host while something ran.

A virtual machine shares its processors with others. The kernel knows the time for which one of its own had something to
run and was not run (proc(5), `steal`). What a run measures then is in part theirs.
"""

import csv
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Event

import psutil

from isotherm_lab.beside import beside

FILE = "processors.csv"
#: What more than this part of the time distorts: it is said in another colour.
MUCH = 0.1
_STRETCH_S = 10.0
_STEP_S = 1.0


@dataclass(frozen=True)
class Reading:
    """Of all processors since the machine started, in seconds: not used by anybody, taken by others, and in all."""

    epoch_s: float
    idle_s: float
    stolen_s: float
    all_s: float


def read() -> Reading:
    """Return the counts up to now; nothing is stolen where the system does not say."""
    times = psutil.cpu_times()
    # Linux counts the time of guests as that of users, too.
    twice = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
    return Reading(time.time(), times.idle, getattr(times, "steal", 0.0), sum(times) - twice)


def own_seconds(begin: Reading, end: Reading) -> float:
    """Return how long this machine would have taken for what it did between two readings, had it had its processors.

    At most the seconds between them: where a quarter of what ran was others', three quarters.
    """
    stolen = end.stolen_s - begin.stolen_s
    wanted = (end.all_s - begin.all_s) - (end.idle_s - begin.idle_s)
    kept = 1 - stolen / wanted if wanted > 0 else 1.0
    return (end.epoch_s - begin.epoch_s) * min(1.0, max(0.0, kept))


@dataclass
class StolenTime:
    """Readings in the order in which they were taken."""

    readings: list[Reading] = field(default_factory=list)

    def part(self) -> float:
        """Return the part of the processors' time that others took, 0 to 1."""
        return _parts(self.readings[0], self.readings[-1])[1] if self.readings else 0.0

    def worst_part(self) -> float:
        """Return the same of the ten seconds in which it was the largest; of all when there are no ten seconds."""
        worst = None
        first = 0
        for last in self.readings:
            while (
                self.readings[first + 1 : first + 2] and last.epoch_s - self.readings[first + 1].epoch_s >= _STRETCH_S
            ):
                first += 1
            if last.epoch_s - self.readings[first].epoch_s >= _STRETCH_S:
                worst = max(worst or 0.0, _parts(self.readings[first], last)[1])
        return self.part() if worst is None else worst

    def tells(self) -> bool:
        """Whether enough was watched to tell anything: ten seconds."""
        return bool(self.readings) and self.readings[-1].epoch_s - self.readings[0].epoch_s >= _STRETCH_S

    def sentence(self) -> str:
        """Return what a reader of the results has to know; empty if that is nothing."""
        if not self.tells():
            return ""
        worst = self.worst_part()
        said = f"Other machines took {self.part():.0%} of the processors' time, {worst:.0%} in the worst ten seconds"
        if worst < MUCH:
            return said + "."
        return f"[yellow]{said}[/]: {FILE} says when. Of those seconds the figures tell little."

    def write(self, file: Path) -> None:
        """Write each second's parts."""
        with file.open("w", newline="") as output:
            rows = csv.writer(output)
            rows.writerow(["epoch_s", "idle", "stolen"])
            for begin, end in pairwise(self.readings):
                idle, stolen = _parts(begin, end)
                rows.writerow([f"{begin.epoch_s:.1f}", f"{idle:.3f}", f"{stolen:.3f}"])


@contextmanager
def watching(folder: Path, reading: Callable[[], Reading] = read, step_s: float = _STEP_S) -> Iterator[StolenTime]:
    """Read each second while the body runs; when it has ended, well or not, leave the file if the folder is there.

    Of a body that ends at once there is nothing to tell: the file of an earlier run, whose results stay, stays too.
    """
    stolen = StolenTime()

    def watch(ended: Event) -> None:
        while not ended.wait(step_s):
            stolen.readings.append(reading())

    stolen.readings.append(reading())
    try:
        with beside(watch, "stolen time"):
            yield stolen
    finally:
        if folder.is_dir() and stolen.tells():
            stolen.write(folder / FILE)


def _parts(begin: Reading, end: Reading) -> tuple[float, float]:
    """Return which parts of the time between two readings nobody used, and others took."""
    spent = end.all_s - begin.all_s
    if spent <= 0:
        return 0.0, 0.0
    return (end.idle_s - begin.idle_s) / spent, (end.stolen_s - begin.stolen_s) / spent
