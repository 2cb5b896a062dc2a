# SPDX-License-Identifier: Apache-2.0
"""A node whose links are bad in both directions."""

from collections.abc import Iterator
from contextlib import contextmanager

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.orders import order_all


@contextmanager
def bad_links(cluster: Cluster, place: int, order: str, much: int) -> Iterator[None]:
    """Give an order about a node's links: each end holds back (ms), loses or repeats (%) what arrives there."""
    own = cluster.nodes[place]
    others = [node for node in cluster.nodes if node is not own]
    order_all(others, order, f"{much} {own.address}")
    order_all([own], order, str(much))
    yield
    # A block that does not reach its end is the end of the cluster too.
    order_all(cluster.nodes, order, "0")
