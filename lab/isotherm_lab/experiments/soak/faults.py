# SPDX-License-Identifier: Apache-2.0
"""All faults, in the order in which a cluster suffers them. Where one node is faulty, it is the last one."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from isotherm_lab.cluster import control
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.suspension import suspended

LATE_MS = 200
LOST_PERCENT = 30
STOPPED_S = 20
_LAST = 2
#: A node starts in half a minute on an idle machine.
_START_S = 300


@contextmanager
def _nothing(_cluster: Cluster, _place: int) -> Iterator[None]:
    yield


@contextmanager
def killed(cluster: Cluster, place: int) -> Iterator[None]:
    """End a node as a power failure would; it is back, and all see each other, when the block has been left."""
    node = cluster.nodes[place]
    node.kill()
    yield
    node.start()
    cluster.save()
    node.wait_until_answers(_START_S)


def late(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Hold back all messages to and from a node."""
    return _bad_links(cluster, place, "late", LATE_MS)


def lossy(cluster: Cluster, place: int) -> AbstractContextManager[None]:
    """Lose some of the messages to and from a node."""
    return _bad_links(cluster, place, "lost", LOST_PERCENT)


@contextmanager
def broken_hooks(cluster: Cluster, _place: int) -> Iterator[None]:
    """Have the hooks of the plugin's snitch throw, on every node; without the plugin there are none."""
    _order(cluster.nodes, "hooks", "break")
    yield
    _order(cluster.nodes, "hooks", "mend")


@contextmanager
def _bad_links(cluster: Cluster, place: int, order: str, much: int) -> Iterator[None]:
    """Give an order about a node's links: each end holds back, or loses, what arrives there."""
    own = cluster.nodes[place]
    others = [node for node in cluster.nodes if node is not own]
    _order(others, order, f"{much} {own.address}")
    _order([own], order, str(much))
    yield
    _order(cluster.nodes, order, "0")


def _order(nodes: Sequence[Node], command: str, argument: str) -> None:
    """Give these nodes an order at the same moment."""
    with ThreadPoolExecutor(len(nodes)) as pool:
        done = [pool.submit(control.order, node.directory, command, argument) for node in nodes]
        for each in done:
            each.result()


@dataclass(frozen=True)
class Fault:
    """A fault: whom it befalls, one after the other, and for how long in the short form."""

    name: str
    title: str
    short_s: float
    #: The fault of the node at this place lasts as long as the block.
    befalls: Callable[[Cluster, int], AbstractContextManager[None]] = _nothing
    places: tuple[int, ...] = (_LAST,)
    #: Whether it lasts longer where the whole soak does.
    longer: bool = True
    #: About how long it takes until all is well again.
    mended_in_s: float = 0
    #: No client uses these as coordinators: nothing that a peer does helps a node's own clients while it stands still.
    spared: tuple[int, ...] = ()
    #: Whether tables are created, truncated and dropped meanwhile.
    schema_changes: bool = False
    #: Whether the plugin counts failures of its own; under every other fault it must not.
    plugin_fails: bool = False


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
        Fault("schema", "tables are created, truncated, dropped and created again", 15, schema_changes=True),
        Fault("hooks", "what the plugin's snitch calls for each read and each counter update throws, on every node", 10,
              broken_hooks, mended_in_s=2, plugin_fails=True),
    )
}  # fmt: skip
