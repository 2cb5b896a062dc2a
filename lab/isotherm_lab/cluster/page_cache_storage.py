# SPDX-License-Identifier: Apache-2.0
"""The disk of this machine, with a bound on each node's page cache and on its reads a second."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from isotherm_lab.cluster import cgroups, page_cache, whole_disk
from isotherm_lab.cluster.cgroup_files import CgroupsUnusable
from isotherm_lab.cluster.cgroup_mounts import CgroupMounts
from isotherm_lab.cluster.cgroups import Group, Groups
from isotherm_lab.cluster.storage import Process, StorageName, refuse_running
from isotherm_lab.paths import working_directory

#: More than any disk serves. A bound all the same: version 1 counts the reads of a group only while it has one.
_UNBOUNDED = 1_000_000
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
    """What each node has: MiB of page cache, and reads a second from the disk."""

    cache_mib: int
    reads_per_s: int


class PageCacheStorage:
    """Default tables behind the page cache; each node's processes are in a cgroup of their own."""

    name = StorageName.PAGE_CACHE

    def __init__(self, bounds: Bounds, groups: Groups, disk: str):
        self.bounds = bounds
        # The heap is charged from the beginning, so that it does not grow at the page cache's expense.
        self.flags = ["-XX:+AlwaysPreTouch"]
        self._groups = groups
        self._disk = disk
        self._made: dict[str, Group] = {}

    def properties(self, address: str) -> Mapping[str, str]:
        """Return where the node's probe finds the count of its disk reads."""
        return {
            "isotherm.lab.disk_reads": str(self._groups.group(address, self._disk).disk_reads),
            "isotherm.lab.disk": self._disk,
        }

    def entrance(self, address: str) -> list[str]:
        """Make the node's group, if it is the first start; return the shell that joins it."""
        if address not in self._made:
            if not self._made:
                self._groups.prepare()
            group = self._made[address] = self._groups.group(address, self._disk)
            group.make()
            group.bound_reads(_UNBOUNDED)
        return ["/bin/sh", "-c", _JOIN, "join", *map(str, self._made[address].processes), "--"]

    def bound(self, nodes: Iterable[Process]) -> None:
        """Leave each node what its process has now, and the page cache beside it.

        Heap and page cache are charged together. What a process has besides its heap grows for minutes and is less
        after a restart, so that this is to be called again now and then.
        """
        for node in nodes:
            group = self._made[node.address]
            group.bound_memory(max(group.other_memory(), _LEAST_BYTES) + self.bounds.cache_mib * 2**20)

    def fast(self, nodes: Iterable[Process]) -> None:
        """Have the disk's own speed."""
        for node in nodes:
            self._made[node.address].bound_reads(_UNBOUNDED)

    def slow(self, nodes: Iterable[Process], times: int = 1) -> None:
        """Have the planned reads a second, or so many times fewer."""
        for node in nodes:
            self._made[node.address].bound_reads(max(1, self.bounds.reads_per_s // times))

    def cool(self, node: Process) -> None:
        """Evict the node's files from the page cache, as a new host or a reboot would find them."""
        refuse_running(node)
        page_cache.empty(node.directory / "data")

    def close(self) -> None:
        """Remove the groups; no node runs any more."""
        if not self._made:
            return
        with ExitStack() as stack:  # one that cannot be removed keeps none of the others
            stack.callback(self._groups.close)
            for group in self._made.values():
                stack.callback(group.remove)
        self._made.clear()


def page_cache_storage(bounds: Bounds, mounts: CgroupMounts | None = None) -> PageCacheStorage:
    """Return the storage for one cluster, after trying it out; CgroupsUnusable when something is missing for it."""
    directory = working_directory()
    directory.mkdir(parents=True, exist_ok=True)
    groups = cgroups.find(mounts or CgroupMounts.read())
    disk = whole_disk.under(directory)
    cgroups.attempt(groups, disk)
    return PageCacheStorage(bounds, groups, disk)


def missing() -> str | None:
    """Return the sentence that says what page-cache lacks here; None when it can be used."""
    try:
        page_cache_storage(Bounds(cache_mib=1, reads_per_s=1))
    except CgroupsUnusable as lack:
        return f"Storage page-cache is not possible here: {lack}"
    return None
