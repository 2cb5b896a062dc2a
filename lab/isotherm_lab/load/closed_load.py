# SPDX-License-Identifier: Apache-2.0
"""The process of a closed-loop load: a fixed number of reads in flight, each answer followed by the next read.

It is what an application with a fixed number of threads does. A rejection ends a read as an answer does: the
application hears of it at once and comes again, here after a pause that the settings name.

Run as `python -m isotherm_lab.load.closed_load SETTINGS.json`. It reads until its standard input closes, and prints one
line of JSON a second for whoever watches. Every finished read is recorded, timed from when it was sent.
"""

import gc
import json
import selectors
import sys
import time
from collections import Counter, deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from isotherm_lab.load.cql_connection import CONFIGURATION_ERROR, code, message
from isotherm_lab.load.pipeline import Lane
from isotherm_lab.measure import samples

#: How a finished read is recorded, beside samples.ANSWERED: rejected by a limit, or failed in any other way.
REJECTED, FAILED = 1, 2
_DRAIN_SECONDS = 8
_KEYS_AHEAD = 50_000


@dataclass(frozen=True)
class ClosedLoadSettings:
    """What to read, how many reads at a time, and where to write what was measured."""

    MODULE: ClassVar[str] = "isotherm_lab.load.closed_load"
    contact_points: list[str]
    directory: str
    #: A query with one bigint parameter, the key.
    statement: str
    in_flight_per_node: int
    #: Keys are drawn uniformly from first_key to first_key + keys - 1.
    first_key: int
    keys: int
    seed: int
    pause_after_rejection_s: float = 0.0
    consistency: str = "QUORUM"

    def save(self, path: Path) -> None:
        """Write the settings for the process to read."""
        path.write_text(json.dumps(asdict(self)))


class ClosedLoad:
    """Several lanes under load, and the record of what they did."""

    def __init__(self, settings: ClosedLoadSettings):
        self._settings = settings
        keys = settings.first_key + np.random.default_rng(settings.seed).integers(
            0, settings.keys, (len(settings.contact_points), _KEYS_AHEAD)
        )
        self._lanes = [
            Lane(address, settings.statement, settings.consistency, settings.in_flight_per_node, own.tolist())
            for address, own in zip(settings.contact_points, keys, strict=True)
        ]
        self._selector = selectors.DefaultSelector()
        for lane in self._lanes:
            self._selector.register(lane.connection.socket, selectors.EVENT_READ, lane)
        self._file = open(Path(settings.directory) / "requests.bin", "wb")  # noqa: SIM115 - closed by run()
        self._finished: list[tuple[int, int, int]] = []
        #: Rejected reads whose application pauses, in the order in which they come again: when, and where.
        self._pausing: deque[tuple[float, Lane, int]] = deque()
        self._errors: Counter[int] = Counter()
        self._messages: dict[int, str] = {}

    def run(self, told_to_stop) -> None:
        """Load until this file becomes readable, then wait for the answers still due."""
        self._selector.register(told_to_stop, selectors.EVENT_READ, None)
        gc.collect()
        gc.freeze()
        for lane in self._lanes:
            lane.send(list(range(self._settings.in_flight_per_node)), time.time())
        report = time.time() + 1
        going_on = True
        while going_on:
            due = min(report, self._pausing[0][0]) if self._pausing else report
            for key, _ in self._selector.select(max(0.0, due - time.time())):
                if key.data is None:
                    going_on = False
                else:
                    self._take(key.data, again=True)
            self._come_again(time.time())
            if time.time() >= report:
                self._report()
                report += 1
        self._selector.unregister(told_to_stop)
        self._drain()
        self._report()
        self._file.close()

    def _take(self, lane: Lane, again: bool) -> None:
        received = lane.receive()
        now = time.time()
        free = []
        for stream, sent, error in received:
            outcome = self._outcome(error)
            self._finished.append((int(sent * 1e6), int((now - sent) * 1e6), outcome))
            if outcome == REJECTED and self._settings.pause_after_rejection_s > 0:
                self._pausing.append((now + self._settings.pause_after_rejection_s, lane, stream))
            else:
                free.append(stream)
        if again and free:
            lane.send(free, now)

    def _outcome(self, error: bytes) -> int:
        if not error:
            return samples.ANSWERED
        number = code(error)
        self._errors[number] += 1
        self._messages.setdefault(number, message(error))
        return REJECTED if number == CONFIGURATION_ERROR else FAILED

    def _come_again(self, now: float) -> None:
        by_lane: dict[Lane, list[int]] = {}
        while self._pausing and self._pausing[0][0] <= now:
            _, lane, stream = self._pausing.popleft()
            by_lane.setdefault(lane, []).append(stream)
        for lane, streams in by_lane.items():
            lane.send(streams, now)

    def _drain(self) -> None:
        deadline = time.time() + _DRAIN_SECONDS
        while any(lane.unanswered for lane in self._lanes) and time.time() < deadline:
            for key, _ in self._selector.select(0.1):
                self._take(key.data, again=False)

    def _report(self) -> None:
        block = samples.append(self._file, self._finished)
        self._finished = []
        counts = np.bincount(block["outcome"], minlength=3).tolist()
        errors = [
            {"code": number, "count": count, "first": self._messages[number]} for number, count in self._errors.items()
        ]
        (Path(self._settings.directory) / "errors.json").write_text(json.dumps(errors, indent=1))
        print(json.dumps({"answered": counts[0], "rejected": counts[1], "failed": counts[2]}), flush=True)


def main() -> None:
    """Run the load described by the settings file named on the command line."""
    ClosedLoad(ClosedLoadSettings(**json.loads(Path(sys.argv[1]).read_text()))).run(sys.stdin)


if __name__ == "__main__":
    main()
