# SPDX-License-Identifier: Apache-2.0
"""All faults, in the order in which a cluster suffers them. Where one node is faulty, it is the last one."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.orders import order_all
from isotherm_lab.cluster.suspension import suspended
from isotherm_lab.experiments.bad_links import bad_links
from isotherm_lab.experiments.soak import full_disk
from isotherm_lab.experiments.soak.hooks import BLOCKED_MS, blocked_hooks, blocked_threads, broken_hooks
from isotherm_lab.experiments.soak.membership import SMALL_HEAP_MIB, grown, killed, replaced, small_heap
from isotherm_lab.experiments.soak.scenes import MANY_TABLES, ONE_DATACENTER, TWO_DATACENTERS, Scene
from isotherm_lab.experiments.soak.two_replicas import PAUSE_S, two_replicas

LATE_MS = 200
LOST_PERCENT = 30
REPEATED_PERCENT = 50
STOPPED_S = 20
#: As long as a read waits, longer than a write: the node takes its peers' messages for too old, and then they its own.
CLOCK_MS = 5_000
#: Less than any request waits: messages arrive with less time left.
LITTLE_CLOCK_MS = 1_000
#: How long a clock that was ahead is behind.
_BEHIND_S = 10
_LAST = 2
_LAST_OF_ALL = len(TWO_DATACENTERS.datacenters) - 1
#: A fault of the node at a place, which lasts as long as the block.
Befalls = Callable[[Cluster, int], AbstractContextManager[None]]


@contextmanager
def _nothing(_cluster: Cluster, _place: int) -> Iterator[None]:
    yield


def late(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Hold back all messages to and from a node."""
    return bad_links(cluster, place, "late", LATE_MS)


def lossy(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Lose some of the messages to and from a node."""
    return bad_links(cluster, place, "lost", LOST_PERCENT)


def repeated(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Have some of the messages to and from a node arrive twice."""
    return bad_links(cluster, place, "repeated", REPEATED_PERCENT)


def wrong_clock(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Set a node's clock ahead and back by more than messages may be old."""
    return _stepping(cluster, place, CLOCK_MS)


def little_wrong_clock(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Set a node's clock ahead and back by less than messages may be old."""
    return _stepping(cluster, place, LITTLE_CLOCK_MS)


@contextmanager
def _stepping(cluster: Cluster, place: int, millis: int) -> Iterator[None]:
    """Set a node's clock ahead, after the block as much back as behind, and right again."""
    node = cluster.nodes[place]
    order_all([node], "clock", str(millis))
    yield
    order_all([node], "clock", str(-millis))
    time.sleep(_BEHIND_S)
    order_all([node], "clock", "0")


def in_each_datacenter(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Kill a node of the first datacenter; have one of the second stand still."""
    return suspended(cluster.nodes[place]) if place == _LAST_OF_ALL else killed(cluster, place)


def as_hooks_did(account: Mapping[str, Any]) -> Befalls:
    """Block threads of plain Cassandra: on each node as many of each kind as the plugin's hooks have blocked there."""
    return blocked_threads(account["blocked"])


class Hooks(Enum):
    """What befalls the plugin's hooks."""

    THROW = "throw"
    BLOCK = "block"


@dataclass(frozen=True)
class Fault:
    """A fault: whom it befalls, one after the other, and for how long in the short form."""

    name: str
    title: str
    short_s: float
    befalls: Befalls = _nothing
    places: tuple[int, ...] = (_LAST,)
    #: Whether it lasts longer where the whole soak does.
    longer: bool = True
    #: About how long it takes until all is well again.
    mended_in_s: float = 0
    #: No client uses these as coordinators: nothing that a peer does helps a node's own clients while it stands still.
    spared: tuple[int, ...] = ()
    #: Whether tables are created, truncated and dropped meanwhile.
    schema_changes: bool = False
    #: Whether such tables have the limits that all others have, with the plugin.
    limits_changed_tables: bool = True
    #: Whether it befalls the plugin's hooks, and each of them must have been called, or must have blocked.
    hooks: Hooks | None = None
    #: Whether the plugin counts failures of its own; under every other fault it must not.
    plugin_fails: bool = False
    #: What befalls plain Cassandra, by what has befallen the plugin; None: the same.
    in_stock: Callable[[Mapping[str, Any]], Befalls] | None = None
    #: The cluster that it befalls.
    scene: Scene = ONE_DATACENTER
    #: Whether it is run only if it is named.
    by_name: bool = False
    #: Returns why it cannot be had here, in a sentence; None when it can.
    obstacle: Callable[[], str | None] = lambda: None


FAULTS = {
    fault.name: fault
    for fault in (
        Fault("none", "nothing", 10),
        Fault("killed", "each node in turn dies (kill -9) and comes back", 5, killed, places=(0, 1, _LAST),
              mended_in_s=75),
        Fault("stopped", f"the process of a node is stopped for {STOPPED_S} s (SIGSTOP)", STOPPED_S,
              lambda cluster, place: suspended(cluster.nodes[place]), longer=False, mended_in_s=5, spared=(_LAST,)),
        Fault("late", f"messages to and from a node are {LATE_MS} ms late", 10, late, mended_in_s=2,
              spared=(_LAST,)),
        Fault("lost", f"{LOST_PERCENT} % of the messages to and from a node are lost", 10, lossy, mended_in_s=2,
              spared=(_LAST,)),
        Fault("repeated", f"{REPEATED_PERCENT} % of the messages to and from a node arrive twice", 10, repeated,
              mended_in_s=2),
        Fault("clock", f"the clock of a node is {CLOCK_MS // 1000} s ahead, then steps back by twice as much", 10,
              wrong_clock, mended_in_s=_BEHIND_S + 2, spared=(_LAST,)),
        Fault("little-clock", f"the clock of a node is {LITTLE_CLOCK_MS // 1000} s ahead, then steps back by twice as"
              " much", 10, little_wrong_clock, mended_in_s=_BEHIND_S + 2),
        Fault("full-disk", "the disk of a node is full", 15, full_disk.full_disk, mended_in_s=75,
              obstacle=full_disk.obstacle),
        Fault("small-heap", f"a node has {SMALL_HEAP_MIB} MiB of heap", 20, small_heap, mended_in_s=75),
        Fault("grown", "a fourth node joins, and leaves again", 10, grown, mended_in_s=75),
        Fault("replaced", "a node is lost, and an empty one takes its place", 5, replaced, mended_in_s=50),
        Fault("schema", "tables are created, truncated, dropped and created again", 15, schema_changes=True),
        Fault("two-replicas", f"each partition has two replicas, and a node stands still for {PAUSE_S:g} s, thrice",
              10, two_replicas, mended_in_s=14),
        Fault("hooks", "where Cassandra calls the plugin, it throws, on every node", 20, broken_hooks, mended_in_s=2,
              schema_changes=True, limits_changed_tables=False, hooks=Hooks.THROW, plugin_fails=True),
        Fault("blocked-hooks", f"where Cassandra calls the plugin, it blocks for {BLOCKED_MS // 1000} s, place by"
              " place", 100, blocked_hooks, longer=False, mended_in_s=7, schema_changes=True, hooks=Hooks.BLOCK,
              in_stock=as_hooks_did),
        Fault("two-datacenters", f"a node of one datacenter dies, one of the other is stopped for {STOPPED_S} s",
              STOPPED_S, in_each_datacenter, places=(_LAST, _LAST_OF_ALL), longer=False, mended_in_s=30,
              spared=(_LAST_OF_ALL,), scene=TWO_DATACENTERS, by_name=True),
        Fault("tables", "there are thousands of tables, and all have traffic", 60, scene=MANY_TABLES, by_name=True),
    )
}  # fmt: skip
