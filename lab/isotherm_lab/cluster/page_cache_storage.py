# SPDX-License-Identifier: Apache-2.0
"""Disks behind the kernel's page cache, of which each node has a bounded part."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from isotherm_lab.cluster import cgroups, node_disks, page_cache, whole_disk
from isotherm_lab.cluster.cgroup_files import CgroupsUnusable
from isotherm_lab.cluster.cgroup_mounts import CgroupMounts
from isotherm_lab.cluster.cgroups import Group, Groups
from isotherm_lab.cluster.node_disks import UNBOUNDED, NodeDisks, Speed
from isotherm_lab.cluster.storage import Process, StorageName, refuse_running
from isotherm_lab.paths import working_directory

#: What a node's process takes at the least: its heap, and what a JVM has from the beginning. A bound below would kill
#: it while it starts.
_LEAST_BYTES = 640 * 2**20
#: Joins the groups named before `--`, and becomes the command after it: the same process, so that its number stands.
_JOIN = """\
while [ "$1" != -- ]; do
  echo $$ >"$1" || { echo "$1 cannot be joined." >&2; exit 1; }
  shift
done
shift
exec "$@"
"""


@dataclass(frozen=True)
class Bounds:
    """What each node has: MiB of page cache, and a disk."""

    cache_mib: int
    disk: Speed


class PageCacheStorage:
    """Default tables behind the page cache; each node's processes are in a cgroup of their own."""

    name = StorageName.PAGE_CACHE

    def __init__(self, bounds: Bounds, groups: Groups, disks: NodeDisks):
        self.bounds = bounds
        # The heap is charged from the beginning, so that it does not grow at the page cache's expense.
        self.flags = ["-XX:+AlwaysPreTouch"]
        self._groups = groups
        self._disks = disks
        self._made: dict[str, Group] = {}

    def properties(self, address: str, directory: Path) -> Mapping[str, str]:
        """Return where the node's probe finds the count of its disk reads."""
        return {
            "isotherm.lab.disk_reads": str(self._groups.group(address, "").disk_reads),
            "isotherm.lab.disk": self._disks.name(directory),
        }

    def entrance(self, node: Process) -> list[str]:
        """Make the node's disk and group, if it is the first start; return the shell that joins the group."""
        if node.address not in self._made:
            if not self._made:
                self._groups.prepare()
            disk = self._disks.make(node.address, node.directory)
            group = self._made[node.address] = self._groups.group(node.address, disk)
            group.make()
            group.bound_reads(UNBOUNDED)
        return ["/bin/sh", "-c", _JOIN, "join", *map(str, self._made[node.address].processes), "--"]

    def bound(self, nodes: Iterable[Process]) -> None:
        """Leave each node what its process has now, and the page cache beside it.

        Heap and page cache are charged together. What a process has besides its heap grows for minutes and is less
        after a restart, so that this is to be called again now and then.
        """
        for node in nodes:
            group = self._made[node.address]
            group.bound_memory(max(group.other_memory(), _LEAST_BYTES) + self.bounds.cache_mib * 2**20)

    def fast(self, nodes: Iterable[Process]) -> None:
        """Have reads of the disk take no longer than they must."""
        self._serve(nodes, 0)

    def slow(self, nodes: Iterable[Process], times: int = 1) -> None:
        """Have disks of the planned speed, or so many times slower."""
        self._serve(nodes, times)

    def hang(self, nodes: Iterable[Process]) -> None:
        """Have disks that answer nothing, or nearly so where they cannot be told to."""
        self._serve(nodes, None)

    def _serve(self, nodes: Iterable[Process], times: float | None) -> None:
        for node in nodes:
            self._disks.serve(node.address, self._made[node.address], times)

    def cool(self, node: Process) -> None:
        """Evict the node's files from the page cache, as a new host or a reboot would find them."""
        refuse_running(node)
        page_cache.empty(node.directory / "data")

    def close(self) -> None:
        """Remove the groups and the disks; no node runs any more."""
        # Where no group was made the lab may have left its own all the same: making the first one failed.
        with ExitStack() as stack:  # one that cannot be removed keeps none of the others
            stack.callback(self._groups.close)
            for group in self._made.values():
                stack.callback(group.remove)
            stack.callback(self._disks.close)
        self._made.clear()


def page_cache_storage(bounds: Bounds, mounts: CgroupMounts | None = None) -> PageCacheStorage:
    """Return the storage for one cluster, after trying it out; CgroupsUnusable when something is missing for it."""
    directory = working_directory()
    directory.mkdir(parents=True, exist_ok=True)
    groups = cgroups.find(mounts or CgroupMounts.read())
    cgroups.attempt(groups, whole_disk.under(directory))
    return PageCacheStorage(bounds, groups, node_disks.possible(bounds.disk, directory))


def missing() -> str | None:
    """Return the sentence that says what page-cache lacks here; None when it can be used."""
    try:
        page_cache_storage(Bounds(cache_mib=1, disk=Speed(reads_per_s=1)))
    except CgroupsUnusable as lack:
        return f"Storage page-cache is not possible here: {lack}"
    return None


def shortcoming() -> str | None:
    """Return the sentence that says what is less than page-cache promises, where it can be used; None when nothing."""
    return node_disks.lacking(working_directory())
