# SPDX-License-Identifier: Apache-2.0
"""Takes processor time away from a process, by a cpu control group of version 1 or 2."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from isotherm_lab.errors import LabError

_PERIOD_US = 100_000
_PROCESSES, _CHILDREN = "cgroup.procs", "cgroup.subtree_control"
#: A process that was moved or killed is in its group for another moment.
_PATIENCE_S = 5.0


@dataclass(frozen=True)
class Hierarchy:
    """Where the control groups of processor time are."""

    mount: Path
    version: int

    @classmethod
    def find(cls, mounts: str) -> "Hierarchy | None":
        """Return the one that /proc/mounts (its text is given) lists; None when none controls processor time."""
        second = None
        for line in mounts.splitlines():
            _, mount, kind, options, *_ = line.split()
            if kind == "cgroup" and "cpu" in options.split(","):
                return cls(Path(mount), 1)
            if kind == "cgroup2":
                second = Path(mount)
        if second and "cpu" in _words(second / "cgroup.controllers"):
            return cls(second, 2)
        return None

    def group_of(self, memberships: str) -> Path:
        """Return the group of the process whose /proc/PID/cgroup this is the text of."""
        for line in memberships.splitlines():
            number, controllers, path = line.split(":", 2)
            if (number == "0") if self.version == 2 else ("cpu" in controllers.split(",")):
                own = self.mount / path.lstrip("/")
                # In a container the path may be the host's.
                return own if own.is_dir() else self.mount
        return self.mount

    def create(self, near: Path, name: str) -> Path:
        """Create an empty group beside or below this one, as deep as it may be; OSError when none may be made."""
        if self.version == 1:
            (near / name).mkdir(exist_ok=True)
            return near / name
        # A group of version 2 has processes or controlled children: this one's children will seldom do.
        refused: OSError = FileNotFoundError(f"{near} has no parent that controls processor time")
        for parent in (near, *near.parents[: len(near.relative_to(self.mount).parts)]):
            try:
                (parent / _CHILDREN).write_text("+cpu")
                (parent / name).mkdir(exist_ok=True)
                return parent / name
            except OSError as error:
                refused = error
        raise refused

    def limit(self, group: Path, share: float) -> None:
        """Let the processes of the group together use this share of one processor."""
        quota = round(share * _PERIOD_US)
        if self.version == 1:
            (group / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {_PERIOD_US}")


@contextmanager
def processor_share(pid: int, share: float, name: str) -> Iterator[None]:
    """Let the process use this share of one processor; it has its former group back whatever ends the block.

    `name` is that of the control group, used for nothing else. LabError where control groups are not to be had.
    """
    hierarchy = Hierarchy.find(Path("/proc/mounts").read_text())
    if hierarchy is None:
        raise LabError("No control group controls processor time here.")
    former = hierarchy.group_of(Path(f"/proc/{pid}/cgroup").read_text())
    try:
        group = hierarchy.create(former, name)
    except OSError as error:
        raise LabError(f"No control group can be made: {error}.") from error
    try:
        try:
            hierarchy.limit(group, share)
            (group / _PROCESSES).write_text(str(pid))
        except OSError as error:
            raise LabError(f"The control group {group} cannot be used: {error}.") from error
        yield
    finally:
        with suppress(ProcessLookupError):
            (former / _PROCESSES).write_text(str(pid))
        _remove(group)


def obstacle() -> str | None:
    """Return why no process can be limited here, in a sentence; None when it can."""
    if not Path("/proc/mounts").exists():
        return "Processor time can be limited on Linux only."
    try:
        # A short-lived child of its own: nobody else's group changes.
        with _sleeper() as pid, processor_share(pid, 1.0, f"isotherm-lab-try-{os.getpid()}"):
            return None
    except LabError as error:
        return f"{error} It takes root, or a delegated control group (systemd-run --user --scope -p Delegate=yes)."


@contextmanager
def _sleeper() -> Iterator[int]:
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            yield child.pid
        finally:
            child.kill()


def _remove(group: Path) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            group.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.02)


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []
