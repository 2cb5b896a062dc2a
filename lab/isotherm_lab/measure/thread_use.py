# SPDX-License-Identifier: Apache-2.0
"""What the threads of some JVMs spend, by what they are for: processor time, and how often they are put on a processor.

The kernel counts both for each thread, in nanoseconds and in runs (/proc/PID/task/TID/schedstat, of which
Documentation/scheduler/sched-stats.rst says what stands where), and knows the first 15 bytes of its name.

Cassandra's request threads and its stages for reads, writes and responses share one pool, whose threads take the name
of what they last did: they are one group.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

POOL, CLIENTS, NODES = "requests and stages", "client connections", "messages of nodes"
COMPILERS, COLLECTIONS, PLUGIN, OTHERS = "compilers", "garbage collection", "plugin", "others"
#: The groups, the busiest under load first.
GROUPS = (POOL, CLIENTS, NODES, COMPILERS, COLLECTIONS, PLUGIN, OTHERS)
_BEGINNINGS = {
    POOL: (
        "Native-Transpor",
        "SharedPool-",
        "ReadStage-",
        "RequestResponse",
        "MutationStage-",
        "CounterMutation",
        "ViewMutationSta",
    ),
    CLIENTS: ("epollEventLoop", "nioEventLoop"),
    NODES: ("Messaging-",),
    COMPILERS: ("C1 Compiler", "C2 Compiler", "Sweeper"),
    COLLECTIONS: ("VM Thread", "GC Thread", "G1 "),
    PLUGIN: ("Isotherm",),
}


@dataclass(frozen=True)
class Use:
    """What threads have spent: processor seconds, and how often they were put on a processor."""

    cpu_s: float = 0.0
    runs: int = 0

    def __add__(self, other: "Use") -> "Use":
        return Use(self.cpu_s + other.cpu_s, self.runs + other.runs)

    def __sub__(self, other: "Use") -> "Use":
        return Use(self.cpu_s - other.cpu_s, self.runs - other.runs)


#: Each thread by its process and number: its group, and what it has spent since it began.
Reading = Mapping[tuple[str, str], tuple[str, Use]]


class ThreadUse:
    """What the threads of these processes have spent since each began."""

    def __init__(self, pids: Sequence[int], proc: Path = Path("/proc")):
        self._processes = [proc / str(pid) for pid in pids]

    def __call__(self) -> Reading:
        """Return what each thread has spent so far; takes about ten milliseconds for three nodes."""
        return {
            (process.name, number): (group_of(name), use)
            for process in self._processes
            for number, name, use in _threads(process / "task")
        }


def group_of(name: str) -> str:
    """Return the group of a thread with this name, of which 15 bytes suffice."""
    return next((group for group, begins in _BEGINNINGS.items() if name.startswith(begins)), OTHERS)


def between(before: Reading, after: Reading) -> dict[str, Use]:
    """Return what each group has spent between two readings; threads that have ended in between are left out."""
    spent = dict.fromkeys(GROUPS, Use())
    for thread, (group, use) in after.items():
        _, earlier = before.get(thread, (group, Use()))
        spent[group] += use - earlier
    return spent


def _threads(tasks: Path) -> Iterator[tuple[str, str, Use]]:
    for thread in tasks.iterdir():
        try:
            name = (thread / "comm").read_text().rstrip("\n")
            nanos, _waited, runs = (thread / "schedstat").read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has ended.
        yield thread.name, name, Use(int(nanos) * 1e-9, int(runs))
