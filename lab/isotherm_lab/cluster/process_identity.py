# SPDX-License-Identifier: Apache-2.0
"""Which process a number means: the one that was started, or a later one."""

import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

#: In the part of /proc/PID/stat behind the command's name: the field that proc_pid_stat(5) counts as the 22nd.
_START = 22 - 3
#: Less than a clock tick, and more than seconds differ by from one reading to the next.
_APART = 0.01


@dataclass
class ProcessIdentity:
    """A pid that cannot be mistaken for a later process with the same number.

    `created` is when it began: clock ticks since the machine did on Linux, seconds since 1970 elsewhere.
    """

    pid: int
    created: float

    @classmethod
    def of(cls, pid: int) -> "ProcessIdentity":
        """Return the identity of a process that there is; psutil.NoSuchProcess when there is none."""
        return cls(pid, _created(pid))

    def process(self) -> psutil.Process | None:
        """Return the process if it still is the one that was started, and runs."""
        try:
            found = psutil.Process(self.pid)
            if abs(_created(self.pid) - self.created) > _APART or found.status() == psutil.STATUS_ZOMBIE:
                return None
            return found
        except psutil.NoSuchProcess:
            return None


def _created(pid: int) -> float:
    if sys.platform != "linux":
        return psutil.Process(pid).create_time()
    # What psutil says is a time of the wall clock, which moves whenever that is set, and the process would seem gone.
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        raise psutil.NoSuchProcess(pid) from None
    # The name may have spaces and parentheses of its own.
    return int(stat.rpartition(b")")[2].split()[_START])
