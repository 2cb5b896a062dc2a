# SPDX-License-Identifier: Apache-2.0
"""Groups of processes whose memory and disk reads the kernel bounds, in the version of cgroups that is mounted."""

import sys
from pathlib import Path
from typing import Protocol

from isotherm_lab.cluster.cgroup_files import CgroupsUnusable
from isotherm_lab.cluster.cgroup_mounts import CgroupMounts
from isotherm_lab.cluster.cgroup_v1 import GroupsV1
from isotherm_lab.cluster.cgroup_v2 import GroupsV2

_TRIAL_BYTES = 2**30


class Group(Protocol):
    """Where the processes of one node are; it goes on while the node is down, with what it has in the page cache."""

    @property
    def processes(self) -> list[Path]:
        """Where a process writes its number to join."""

    @property
    def disk_reads(self) -> Path:
        """Where the kernel counts the reads of each disk."""

    def bound_memory(self, limit: int) -> None:
        """Bound everything that is charged to the node, in bytes; the kernel evicts page cache until it fits."""

    def bound_reads(self, per_s: int) -> None:
        """Bound the reads a second from the disk."""

    def page_cache(self) -> int:
        """Return the bytes of page cache charged to the node, but for files that are mapped.

        The code that all nodes run lies in mapped files, which are charged to the node that touched them first.
        """

    def other_memory(self) -> int:
        """Return the bytes charged to the node that are not page cache."""

    def make(self) -> None:
        """Make it."""

    def remove(self) -> None:
        """Remove it; no process is in it any more."""


class Groups(Protocol):
    """What makes the groups of nodes."""

    def prepare(self) -> None:
        """Have all that groups need; CgroupsUnusable says what is missing."""

    def group(self, name: str, disk: str) -> Group:
        """Return the group of a node, which is not made yet; `disk` is `major:minor`."""

    def close(self) -> None:
        """Have this lab's processes where they were before prepare(), however far that came; all groups are removed.

        A controller that was switched on at the root of the machine stays on: others may count on it meanwhile.
        """


def find(mounts: CgroupMounts) -> Groups:
    """Return what makes groups here, not prepared yet; CgroupsUnusable says what is missing."""
    if "memory" in mounts.v1 and "blkio" in mounts.v1:
        return GroupsV1(mounts.v1["memory"], mounts.v1["blkio"])
    if mounts.v2 is not None and mounts.own_v2 is not None:
        return GroupsV2(mounts.v2, mounts.own_v2)
    if sys.platform != "linux":
        raise CgroupsUnusable("it needs the cgroups of Linux.")
    raise CgroupsUnusable("neither cgroup version 2 nor version 1's memory and blkio controllers are mounted.")


def attempt(groups: Groups, disk: str) -> None:
    """Bound a group without processes, to learn whether it can be done here; CgroupsUnusable says what fails."""
    try:
        try:
            groups.prepare()
            trial = groups.group("trial", disk)
            try:
                trial.make()
                trial.bound_memory(_TRIAL_BYTES)
                trial.bound_reads(_TRIAL_BYTES)
            finally:
                trial.remove()
        finally:
            groups.close()
    except OSError as error:
        raise CgroupsUnusable(f"the kernel refuses it: {error.strerror} ({error.filename}).") from error
