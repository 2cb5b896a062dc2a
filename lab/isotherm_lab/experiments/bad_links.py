# SPDX-License-Identifier: Apache-2.0
"""A node whose links are bad in both directions."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from isotherm_lab.beside import beside
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.orders import order_all
from isotherm_lab.errors import LabError


@contextmanager
def bad_links(cluster: Cluster, place: int, order: str, much: int) -> Iterator[None]:
    """Give an order about a node's links: each end holds back (ms), loses or repeats (%) what arrives there."""
    _order(cluster, place, order, much)
    try:
        yield
    finally:
        order_all(cluster.nodes, order, "0")


@contextmanager
def growing_delay(cluster: Cluster, place: int, most_ms: int, steps: int, step_s: float = 1) -> Iterator[None]:
    """Hold a node's messages back by 1 ms at first, and by as many times longer at each step, up to `most_ms`."""

    def grow(over: threading.Event) -> None:
        # Who watches the nodes notices one that is gone.
        with suppress(LabError):
            for step in range(1, steps + 1):
                if over.wait(step_s):
                    return
                _order(cluster, place, "late", round(most_ms ** (step / steps)))

    with bad_links(cluster, place, "late", 1), beside(grow, "growing delay"):
        yield


def _order(cluster: Cluster, place: int, order: str, much: int) -> None:
    own = cluster.nodes[place]
    others = [node for node in cluster.nodes if node is not own]
    order_all(others, order, f"{much} {own.address}")
    order_all([own], order, str(much))
