# SPDX-License-Identifier: Apache-2.0
"""The program of a closed loop of reads, of which every one is recorded, timed from when it was sent.

With a rate it is an open loop instead: reads are sent evenly spaced, whatever becomes of them.

Run as `python -m isotherm_lab.load.closed_load SETTINGS.json`. It reads until its standard input closes, and prints one
line of JSON a second for whoever watches.
"""

import gc
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.load.closed_loop import ClosedLoop
from isotherm_lab.load.cql_connection import code, is_rejection, message
from isotherm_lab.load.fixed_rate import FixedRate
from isotherm_lab.load.pipeline import Answer, Pipeline
from isotherm_lab.load.settings import LoadSettings
from isotherm_lab.load.traffic import Pacing, Traffic
from isotherm_lab.measure import samples

#: How a finished read is recorded, beside samples.ANSWERED: rejected by a limit, or failed in any other way.
REJECTED, FAILED = 1, 2
#: What errors.json has for the code of an error where nothing came at all.
NO_ANSWER = -1
_DRAIN_SECONDS = 8
_KEYS_AHEAD = 50_000


@dataclass(frozen=True)
class ClosedLoadSettings(LoadSettings):
    """What to read, how many reads at a time, and where to write what was measured."""

    #: A query with one bigint parameter, the key.
    statement: str
    #: With a rate, how many reads may be unanswered at most.
    in_flight_per_node: int
    #: Keys are drawn uniformly from first_key to first_key + keys - 1.
    first_key: int
    keys: int
    seed: int
    pause_after_rejection_s: float = 0.0
    #: All reads a second; 0: as many as those under way allow.
    per_s: float = 0.0
    consistency: str = "QUORUM"
    port: int = CQL_PORT


class ClosedLoad:
    """Several pipelines under load, and the record of what they did."""

    def __init__(self, settings: ClosedLoadSettings):
        self._directory = Path(settings.directory)
        keys = settings.first_key + np.random.default_rng(settings.seed).integers(
            0, settings.keys, (len(settings.contact_points), _KEYS_AHEAD)
        )
        many = settings.in_flight_per_node
        pipelines = [
            Pipeline.of_statement(
                address, settings.statement, settings.consistency, many, own.tolist(), settings.port
            )
            for address, own in zip(settings.contact_points, keys, strict=True)
        ]  # fmt: skip
        pacing: Pacing = ClosedLoop(pipelines, many, settings.pause_after_rejection_s)
        if settings.per_s > 0:
            pacing = FixedRate(pipelines, settings.per_s)
        # Records are of the wall clock, as those of the nodes are.
        self._traffic = Traffic(pacing, self._record, time.time)
        self._file = open(self._directory / samples.FILE, "wb")  # noqa: SIM115 - closed by run()
        self._finished: list[tuple[int, int, int, int]] = []
        self._errors: Counter[int] = Counter()
        self._messages: dict[int, str] = {}

    def run(self, told_to_stop: Any) -> None:
        """Load until this file becomes readable, then wait for the answers still due."""
        self._traffic.stop_when_readable(told_to_stop)
        gc.collect()
        gc.freeze()
        report = self._traffic.begin() + 1
        while not self._traffic.told_to_stop:
            self._traffic.run_until(report)
            if time.time() >= report:
                self._report()
                report += 1
        self._traffic.drain(_DRAIN_SECONDS)
        self._record_unanswered(time.time())
        self._report()
        self._file.close()

    def _record(self, answers: Sequence[Answer], now: float) -> None:
        for _, sent, error in answers:
            latency_us = int((now - sent) * 1e6)
            self._finished.append((int(sent * 1e6), latency_us, self._outcome(error), samples.NOT_RECORDED))

    def _record_unanswered(self, now: float) -> None:
        """Record as failed what has not come by now: the slowest reads must not be those that nobody hears of."""
        for sent in self._traffic.waiting_since():
            self._count_error(NO_ANSWER, f"no answer within {_DRAIN_SECONDS} s of the end")
            self._finished.append((int(sent * 1e6), int((now - sent) * 1e6), FAILED, samples.NOT_RECORDED))

    def _outcome(self, error: bytes) -> int:
        if not error:
            return samples.ANSWERED
        self._count_error(code(error), message(error))
        return REJECTED if is_rejection(error) else FAILED

    def _count_error(self, number: int, text: str) -> None:
        self._errors[number] += 1
        self._messages.setdefault(number, text)

    def _report(self) -> None:
        block = samples.append(self._file, self._finished)
        self._finished = []
        counts = np.bincount(block["outcome"], minlength=3).tolist()
        errors = [
            {"code": number, "count": count, "first": self._messages[number]} for number, count in self._errors.items()
        ]
        (self._directory / "errors.json").write_text(json.dumps(errors, indent=1))
        print(json.dumps({"answered": counts[0], "rejected": counts[1], "failed": counts[2]}), flush=True)


if __name__ == "__main__":
    ClosedLoad(ClosedLoadSettings.read(sys.argv[1])).run(sys.stdin)
