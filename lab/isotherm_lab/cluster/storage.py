# SPDX-License-Identifier: Apache-2.0
"""What stands between a node and its data: the lab's slow disk, or the disk and the page cache of this machine."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from isotherm_lab.cluster.orders import order_all
from isotherm_lab.errors import LabError


class StorageName(StrEnum):
    """The kinds of storage, as a command line names them."""

    COMPRESSOR = "compressor"
    PAGE_CACHE = "page-cache"


class Process(Protocol):
    """What a storage knows of a node."""

    address: str
    directory: Path

    def is_running(self) -> bool:
        """Whether its process runs."""


class Storage(Protocol):
    """How the nodes of one cluster read their data; experiments say the same to each kind."""

    name: StorageName
    #: JVM flags of each node.
    flags: list[str]

    def properties(self, address: str, directory: Path) -> Mapping[str, str]:
        """Return the -D options of the node in this directory."""

    def entrance(self, node: Process) -> list[str]:
        """Return what comes before the command that starts a node, so that its first read is already bounded."""

    def bound(self, nodes: Iterable[Process]) -> None:
        """Have caches of the planned size: the data is loaded and flushed. To be called now and then from then on."""

    def fast(self, nodes: Iterable[Process]) -> None:
        """Have reads of the disk take no longer than they must."""

    def slow(self, nodes: Iterable[Process], times: int = 1) -> None:
        """Have disks of the planned speed, or so many times slower."""

    def hang(self, nodes: Iterable[Process]) -> None:
        """Have disks that answer nothing until the next such order."""

    def cool(self, node: Process) -> None:
        """Have a node that is down start with nothing cached."""

    def close(self) -> None:
        """Remove what was made for it; no node runs any more."""


class CompressorStorage:
    """The tables' compressor is a slow disk (SlowDiskCompressor), and the caches are those of the process."""

    name = StorageName.COMPRESSOR
    flags: list[str] = []  # noqa: RUF012 - never changed

    def properties(self, address: str, directory: Path) -> Mapping[str, str]:
        """Return none: the compressor is there, and tables name it."""
        return {}

    def entrance(self, node: Process) -> list[str]:
        """Return nothing."""
        return []

    def bound(self, nodes: Iterable[Process]) -> None:
        """Do nothing: cassandra.yaml has the sizes of the caches."""

    def fast(self, nodes: Iterable[Process]) -> None:
        """Have no read wait for the slow disk."""
        _order(nodes, "fast")

    def slow(self, nodes: Iterable[Process], times: int = 1) -> None:
        """Have reads of the slow disk take this many service times."""
        _order(nodes, "slow" if times == 1 else f"slow {times}")

    def hang(self, nodes: Iterable[Process]) -> None:
        """Have the slow disk answer nothing."""
        _order(nodes, "hung")

    def cool(self, node: Process) -> None:
        """Check that the process is gone, and its caches with it."""
        refuse_running(node)

    def close(self) -> None:
        """Do nothing: all ended with the processes."""


def refuse_running(node: Process) -> None:
    """Raise LabError when the node is not down."""
    if node.is_running():
        raise LabError(f"Node {node.address} is running: stop it before its caches are emptied.")


def _order(nodes: Iterable[Process], speed: str) -> None:
    order_all([node for node in nodes if node.is_running()], "disk", speed)
