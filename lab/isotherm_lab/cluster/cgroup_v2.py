# SPDX-License-Identifier: Apache-2.0
"""Bounds by cgroup version 2: a node is in one group, which has the memory and the io controller."""

import os
from contextlib import suppress
from pathlib import Path

from isotherm_lab.cluster import cgroup_files
from isotherm_lab.cluster.cgroup_files import CgroupsUnusable

_CONTROLLERS = ("memory", "io")
_DELEGATED = "`systemd-run --user --scope -p Delegate=yes isotherm-lab …`"


class GroupV2:
    """The group of one node."""

    def __init__(self, directory: Path, disk: str):
        self._directory = directory
        self._disk = disk

    @property
    def processes(self) -> list[Path]:
        """Where a process writes its number to join."""
        return [self._directory / "cgroup.procs"]

    @property
    def disk_reads(self) -> Path:
        """Where the kernel counts the reads of each disk."""
        return self._directory / "io.stat"

    def bound_memory(self, limit: int) -> None:
        """Bound everything that is charged to the node, in bytes; the kernel evicts page cache until it fits."""
        with suppress(FileNotFoundError):  # not there in a kernel without swap
            cgroup_files.put(self._directory / "memory.swap.max", "0")
        # memory.max kills where memory.high waits for the eviction: the page cache has shrunk when max is set.
        cgroup_files.put(self._directory / "memory.high", str(limit))
        cgroup_files.put(self._directory / "memory.max", str(limit))
        cgroup_files.put(self._directory / "memory.high", "max")

    def bound_reads(self, per_s: int) -> None:
        """Bound the reads a second from the disk."""
        cgroup_files.put(self._directory / "io.max", f"{self._disk} riops={per_s}")

    def page_cache(self) -> int:
        """Return the bytes of page cache charged to the node, but for files that are mapped."""
        stat = cgroup_files.numbers(self._directory / "memory.stat")
        return stat["file"] - stat["file_mapped"]

    def other_memory(self) -> int:
        """Return the bytes charged to the node that are not page cache: heap, other memory and the kernel's own."""
        return int((self._directory / "memory.current").read_text()) - self.page_cache()

    def make(self) -> None:
        """Make the group."""
        cgroup_files.make(self._directory)

    def remove(self) -> None:
        """Remove the group; no process is in it any more."""
        cgroup_files.remove(self._directory)


class GroupsV2:
    """Makes groups below the root where that may be written, else below the lab's own group, if it is delegated."""

    def __init__(self, mount: Path, own: Path):
        # Only the root of the machine lacks a type. It may have processes beside groups with controllers.
        self._in_root = not (mount / "cgroup.type").exists() and os.access(mount / "cgroup.procs", os.W_OK)
        self._base = mount if self._in_root else own
        self._leaf: Path | None = None
        self._switched_on: list[str] = []

    def prepare(self) -> None:
        """Have the controllers in the groups that are made below; CgroupsUnusable says what is missing."""
        base = self._base
        control = base / "cgroup.subtree_control"
        if not os.access(base, os.W_OK) or not os.access(control, os.W_OK):
            raise CgroupsUnusable(f"{base} is not writable for this user: run it as root, or by {_DELEGATED}.")
        there = (base / "cgroup.controllers").read_text().split()
        missing = [controller for controller in _CONTROLLERS if controller not in there]
        if missing:
            raise CgroupsUnusable(
                f"{base} lacks the controller{'s' * (len(missing) > 1)} {' and '.join(missing)}: run it as root, or"
                f" have `systemctl edit user@.service` delegate them ([Service] Delegate=cpu io memory pids), log in"
                f" again and run it by {_DELEGATED}."
            )
        cgroup_files.sweep(base)
        enabled = control.read_text().split()
        needed = [controller for controller in _CONTROLLERS if controller not in enabled]
        if needed and not self._in_root:
            self._leave(base)
        for controller in needed:
            cgroup_files.put(control, f"+{controller}")
            self._switched_on.append(controller)

    def _leave(self, base: Path) -> None:
        """Move the processes of the base into a group of their own: one with controllers for others has none itself."""
        leaf = base / cgroup_files.own_name("itself")
        cgroup_files.make(leaf)
        # Before anybody is in it: whoever was moved by then is moved back.
        self._leaf = leaf
        _move(base, leaf)

    def group(self, name: str, disk: str) -> GroupV2:
        """Return the group of a node, which is not made yet; `disk` is `major:minor`."""
        return GroupV2(self._base / cgroup_files.own_name(name), disk)

    def close(self) -> None:
        """Have the lab's own processes back where they were; the groups are removed by themselves.

        In the root controllers stay on: another lab, or the system, may have come to count on them meanwhile, and
        nothing tells whether it has. There they cost next to nothing while no group bounds anything.
        """
        if self._leaf is None:
            return
        # Those that were on before were somebody else's.
        while self._switched_on:
            cgroup_files.put(self._base / "cgroup.subtree_control", f"-{self._switched_on[0]}")
            self._switched_on.pop(0)
        _move(self._leaf, self._base)
        cgroup_files.remove(self._leaf)
        self._leaf = None


def _move(origin: Path, target: Path) -> None:
    for process in (origin / "cgroup.procs").read_text().split():
        with suppress(ProcessLookupError):
            cgroup_files.put(target / "cgroup.procs", process)
