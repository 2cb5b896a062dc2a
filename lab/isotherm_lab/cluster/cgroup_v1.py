# SPDX-License-Identifier: Apache-2.0
"""Bounds by cgroup version 1: a node is in a group of the memory controller and in one of the blkio controller."""

import os
from pathlib import Path

from isotherm_lab.cluster import cgroup_files
from isotherm_lab.cluster.cgroup_files import CgroupsUnusable

_READS = "blkio.throttle.read_iops_device"


class GroupV1:
    """The two groups of one node; each bounds one thing."""

    def __init__(self, memory: Path, blkio: Path, disk: str):
        self._memory = memory
        self._blkio = blkio
        self._disk = disk

    @property
    def processes(self) -> list[Path]:
        """Where a process writes its number to join."""
        return [self._memory / "cgroup.procs", self._blkio / "cgroup.procs"]

    @property
    def disk_reads(self) -> Path:
        """Where the kernel counts the reads of each disk."""
        return self._blkio / "blkio.throttle.io_serviced"

    def bound_memory(self, limit: int) -> None:
        """Bound everything that is charged to the node, in bytes; the kernel evicts page cache until it fits."""
        cgroup_files.put(self._memory / "memory.swappiness", "0")
        cgroup_files.patiently(lambda: cgroup_files.put(self._memory / "memory.limit_in_bytes", str(limit)))

    def bound_reads(self, per_s: int) -> None:
        """Bound the reads a second from the disk."""
        cgroup_files.put(self._blkio / _READS, f"{self._disk} {per_s}")

    def page_cache(self) -> int:
        """Return the bytes of page cache charged to the node, but for files that are mapped."""
        stat = cgroup_files.numbers(self._memory / "memory.stat")
        return stat["cache"] - stat["mapped_file"]

    def other_memory(self) -> int:
        """Return the bytes charged to the node that are not page cache: heap, code, and the kernel's own."""
        return int((self._memory / "memory.usage_in_bytes").read_text()) - self.page_cache()

    def make(self) -> None:
        """Make both groups."""
        for directory in (self._memory, self._blkio):
            cgroup_files.make(directory)

    def remove(self) -> None:
        """Remove both groups; no process is in them any more."""
        for directory in (self._memory, self._blkio):
            cgroup_files.remove(directory)


class GroupsV1:
    """Makes groups at the mount points of the two controllers."""

    def __init__(self, memory: Path, blkio: Path):
        self._memory = memory
        self._blkio = blkio

    def prepare(self) -> None:
        """Check that groups can be made; CgroupsUnusable says what is missing."""
        for mount in (self._memory, self._blkio):
            if not os.access(mount, os.W_OK):
                raise CgroupsUnusable(f"{mount} is not writable for this user: run it as root.")
        if not (self._blkio / _READS).exists():
            raise CgroupsUnusable(f"{self._blkio} has no {_READS}: this kernel was built without throttling of disks.")
        for mount in (self._memory, self._blkio):
            cgroup_files.sweep(mount)

    def group(self, name: str, disk: str) -> GroupV1:
        """Return the group of a node, which is not made yet; `disk` is `major:minor`."""
        own = cgroup_files.own_name(name)
        return GroupV1(self._memory / own, self._blkio / own, disk)

    def close(self) -> None:
        """Leave nothing behind; the groups are removed by themselves."""
