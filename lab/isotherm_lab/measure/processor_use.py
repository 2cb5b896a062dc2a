# SPDX-License-Identifier: Apache-2.0
"""How many processors some processes, and the whole machine, kept busy between two moments."""

import time
from collections.abc import Sequence

import psutil


class ProcessorUse:
    """Processor time of processes that live throughout, measured in stretches."""

    def __init__(self, pids: Sequence[int]):
        self._processes = [psutil.Process(pid) for pid in pids]
        self.begin()

    def seconds(self) -> float:
        """Return the processor seconds of all of them together since they started."""
        times = [process.cpu_times() for process in self._processes]
        return sum(each.user + each.system for each in times)

    def begin(self) -> None:
        """Start a stretch."""
        self._begun = time.perf_counter(), self.seconds(), _machine()

    def end(self) -> dict[str, float]:
        """Return the processors busy since begin(): by the processes, by everything, and how many there are."""
        begun, nodes, machine = self._begun
        elapsed = time.perf_counter() - begun
        return {
            "nodes": round((self.seconds() - nodes) / elapsed, 3),
            "machine": round((_machine() - machine) / elapsed, 3),
            "of": psutil.cpu_count() or 0,
        }


def _machine() -> float:
    times = psutil.cpu_times()
    return sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0)
