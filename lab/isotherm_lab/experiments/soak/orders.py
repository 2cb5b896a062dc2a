# SPDX-License-Identifier: Apache-2.0
"""Orders to several nodes at the same moment."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from isotherm_lab.cluster import control
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node


def order_all(nodes: Sequence[Node], command: str, argument: str, timeout_s: float = 60) -> None:
    """Give these nodes an order at the same moment."""
    with ThreadPoolExecutor(len(nodes)) as pool:
        done = [pool.submit(control.order, node.directory, command, argument, timeout_s) for node in nodes]
        for each in done:
            each.result()


@contextmanager
def bad_links(cluster: Cluster, place: int, order: str, much: int) -> Iterator[None]:
    """Give an order about a node's links: each end holds back, loses or repeats what arrives there."""
    own = cluster.nodes[place]
    others = [node for node in cluster.nodes if node is not own]
    order_all(others, order, f"{much} {own.address}")
    order_all([own], order, str(much))
    yield
    order_all(cluster.nodes, order, "0")
