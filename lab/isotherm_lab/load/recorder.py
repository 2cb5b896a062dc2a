# SPDX-License-Identifier: Apache-2.0
"""Records what became of the requests of an open loop."""

import json
import threading
from collections import Counter
from pathlib import Path

import numpy as np

from isotherm_lab.measure import samples

#: The kinds of error that get numbers of their own; the rest share the last.
_KINDS = 255


class Recorder:
    """Collects finished requests from the driver's threads; requests.bin and errors.json of a directory have them."""

    def __init__(self, directory: Path):
        self._samples = open(directory / samples.FILE, "wb")  # noqa: SIM115 - closed by close()
        self._errors = directory / "errors.json"
        self._finished: list[tuple[int, int, int, int]] = []
        self._kinds: dict[str, int] = {}
        self._messages: dict[str, str] = {}
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()

    def answered(self, intended_us: int, latency_us: int, coordinator: int) -> None:
        """Record an answer."""
        self._finished.append((intended_us, latency_us, samples.ANSWERED, coordinator))

    def failed(self, intended_us: int, latency_us: int, coordinator: int, error: BaseException) -> None:
        """Record an error under the name of its type."""
        kind = type(error).__name__
        with self._lock:
            number = self._kinds.setdefault(kind, min(len(self._kinds) + 1, _KINDS))
            self._messages.setdefault(kind, str(error)[:500])
            self.counts[kind] += 1
        self._finished.append((intended_us, latency_us, number, coordinator))

    def flush(self) -> np.ndarray:
        """Write what finished since the last call, and return it."""
        finished, self._finished = self._finished, []
        return samples.append(self._samples, finished)

    def close(self) -> None:
        """Write the rest and the errors' names, counts and first messages."""
        self.flush()
        self._samples.close()
        with self._lock:
            errors = [
                {"type": kind, "outcome": number, "count": self.counts[kind], "first": self._messages[kind]}
                for kind, number in self._kinds.items()
            ]
        self._errors.write_text(json.dumps(errors, indent=1))
