# SPDX-License-Identifier: Apache-2.0
"""Faults by which nodes go, come, or start in another way. Each ends with the nodes that it began with."""

from collections.abc import Iterator
from contextlib import contextmanager

from isotherm_lab.cluster import control
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant

#: A node starts in half a minute on an idle machine, and takes the little data there is in seconds.
START_S = 300
SMALL_HEAP_MIB = 256


@contextmanager
def killed(cluster: Cluster, place: int) -> Iterator[None]:
    """End a node as a power failure would; it is back, and all see each other, when the block has been left."""
    cluster.nodes[place].kill()
    yield
    start(cluster, place)


@contextmanager
def replaced(cluster: Cluster, place: int) -> Iterator[None]:
    """Lose a node with all its data; an empty one takes its place and its address when the block has been left."""
    cluster.nodes[place].kill()
    yield
    cluster.replace(place, variant(cluster.variants[place]))
    start(cluster, place)


@contextmanager
def grown(cluster: Cluster, _place: int) -> Iterator[None]:
    """Have one more node, which has joined when the block begins and has left when it is over."""
    node = cluster.add(variant(cluster.variants[0]))
    start(cluster, len(cluster.nodes) - 1)
    cluster.order("peers", str(len(cluster.nodes)))
    yield
    control.order(node, "decommission", timeout_s=START_S)
    cluster.remove_last()


@contextmanager
def small_heap(cluster: Cluster, place: int) -> Iterator[None]:
    """Have a node run with little memory: it is started again with it, and without it after the block."""
    node = cluster.nodes[place]
    usual = node.command
    node.stop()
    node.command = with_small_heap(usual)
    start(cluster, place)
    yield
    node.stop()
    node.command = usual
    start(cluster, place)


def start(cluster: Cluster, place: int) -> None:
    """Start a node and wait until it answers."""
    node = cluster.nodes[place]
    node.start()
    cluster.save()
    node.wait_until_answers(START_S)


def with_small_heap(command: list[str]) -> list[str]:
    """Return the command of a node that has less heap and is otherwise the same."""
    return [f"{each[:4]}{SMALL_HEAP_MIB}m" if each.startswith(("-Xms", "-Xmx")) else each for each in command]
