# SPDX-License-Identifier: Apache-2.0
"""The disks of nodes behind a page cache: one that the lab makes for each, or this machine's with a bound for each."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from isotherm_lab.cluster import whole_disk
from isotherm_lab.cluster.cgroups import Group
from isotherm_lab.cluster.slow_volume import volume
from isotherm_lab.cluster.slow_volume.volume import Volume, VolumeUnusable

#: More than any disk serves. A bound all the same: cgroup version 1 counts the reads of a group only while it has one.
UNBOUNDED = 1_000_000


@dataclass(frozen=True)
class Speed:
    """What a disk serves: reads a second, so many at a time."""

    reads_per_s: int
    parallel: int = 2

    @property
    def service_us(self) -> int:
        """How long one read takes."""
        return round(1e6 * self.parallel / self.reads_per_s)


class NodeDisks(Protocol):
    """The disks of the nodes of one cluster."""

    def name(self, directory: Path) -> str:
        """Return how the probe finds the disk of the node in this directory: `major:minor`, or a directory on it."""

    def make(self, address: str, directory: Path) -> str:
        """Have the disk of the node, as fast as it can be; return its `major:minor`."""

    def serve(self, address: str, group: Group, times: float | None) -> None:
        """Let its reads take so many times as long as planned; 0: no longer than they must; None: for ever."""

    def close(self) -> None:
        """Remove what was made; no node runs any more."""


class OwnDisks:
    """A volume for each node: every read that misses the page cache takes the planned time, as does the wait for it."""

    def __init__(self, speed: Speed):
        self._speed = speed
        self._volumes: dict[str, Volume] = {}

    def name(self, directory: Path) -> str:
        """Return the directory with the tables, which is where the volume is mounted."""
        return str(_mounted(directory))

    def make(self, address: str, directory: Path) -> str:
        """Make and mount the volume."""
        _mounted(directory).mkdir(parents=True, exist_ok=True)
        made = Volume(directory, _mounted(directory), self._speed.parallel)
        made.make()
        self._volumes[address] = made
        return made.device

    def serve(self, address: str, group: Group, times: float | None) -> None:
        """Have the volume answer later, or not at all."""
        if times is None:
            self._volumes[address].hang()
        else:
            self._volumes[address].serve(round(times * self._speed.service_us))

    def close(self) -> None:
        """Unmount and remove all volumes."""
        with ExitStack() as stack:  # one that cannot be removed keeps none of the others
            while self._volumes:
                stack.callback(self._volumes.popitem()[1].close)


class SharedDisk:
    """The disk of this machine, of which the cgroup of each node bounds the reads a second.

    The kernel lets through what the bound allows for a tenth of a second at once, and has the rest wait: a node below
    its bound has the disk's own speed.
    """

    def __init__(self, speed: Speed, disk: str):
        self._speed = speed
        self._disk = disk

    def name(self, directory: Path) -> str:
        """Return the disk's number."""
        return self._disk

    def make(self, address: str, directory: Path) -> str:
        """Return the disk's number."""
        return self._disk

    def serve(self, address: str, group: Group, times: float | None) -> None:
        """Bound the reads a second; one is the least that the kernel allows."""
        if times == 0:
            group.bound_reads(UNBOUNDED)
        else:
            group.bound_reads(1 if times is None else max(1, round(self._speed.reads_per_s / times)))

    def close(self) -> None:
        """Do nothing: the bounds go with the groups."""


def possible(speed: Speed, directory: Path) -> NodeDisks:
    """Return volumes if they can be made here, else the machine's disk."""
    return SharedDisk(speed, whole_disk.under(directory)) if lacking(directory) else OwnDisks(speed)


def lacking(directory: Path) -> str | None:
    """Return why there can be no volumes below this directory, in a sentence; None when there can."""
    try:
        volume.attempt(directory)
    except VolumeUnusable as lack:
        return f"A disk for each node is not possible here, and their reads a second are bounded instead: {lack}"
    return None


def _mounted(directory: Path) -> Path:
    return directory / "data" / "data"
