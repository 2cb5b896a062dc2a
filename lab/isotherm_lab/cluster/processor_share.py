# SPDX-License-Identifier: Apache-2.0
"""Takes processor time away from a process, by a cpu control group of version 1 or 2."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from isotherm_lab.cluster import cgroup_files
from isotherm_lab.cluster.cgroup_mounts import CgroupMounts
from isotherm_lab.errors import LabError

_PERIOD_US = 100_000
_PROCESSES, _CHILDREN = "cgroup.procs", "cgroup.subtree_control"


@dataclass(frozen=True)
class Hierarchy:
    """Where the control groups of processor time are."""

    mount: Path
    version: int

    @classmethod
    def find(cls, mounts: CgroupMounts) -> "Hierarchy | None":
        """Return the one among these that controls processor time; None when none does."""
        if "cpu" in mounts.v1:
            return cls(mounts.v1["cpu"], 1)
        if mounts.v2 and "cpu" in _words(mounts.v2 / "cgroup.controllers"):
            return cls(mounts.v2, 2)
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
        """Create an empty group beside or below this one, as deep as it may be; OSError when none may be made.

        Where that takes the controller to be switched on it stays on: others may come to count on it.
        """
        if self.version == 1:
            return _made(near / name)
        # A group of version 2 has processes or controlled children: this one's children will seldom do.
        refused: OSError = FileNotFoundError(f"{near} has no parent that controls processor time")
        for parent in (near, *near.parents[: len(near.relative_to(self.mount).parts)]):
            try:
                (parent / _CHILDREN).write_text("+cpu")
                return _made(parent / name)
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

    `name` tells the control group from others of this lab. LabError where control groups are not to be had.
    """
    hierarchy = Hierarchy.find(CgroupMounts.read())
    if hierarchy is None:
        raise LabError("No control group controls processor time here.")
    former = hierarchy.group_of(Path(f"/proc/{pid}/cgroup").read_text())
    try:
        group = hierarchy.create(former, cgroup_files.own_name(f"processor-{name}"))
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
        cgroup_files.remove(group)


def obstacle() -> str | None:
    """Return why no process can be limited here, in a sentence; None when it can."""
    if sys.platform != "linux":
        return "Processor time can be limited on Linux only."
    try:
        # A short-lived child of its own: nobody else's group changes.
        with _sleeper() as pid, processor_share(pid, 1.0, "trial"):
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


def _made(group: Path) -> Path:
    # Here and not at the start of the lab: where groups of this kind are depends on the process.
    cgroup_files.sweep(group.parent)
    group.mkdir(exist_ok=True)
    return group


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []
