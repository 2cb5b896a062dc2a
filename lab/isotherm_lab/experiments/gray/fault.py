# SPDX-License-Identifier: Apache-2.0
"""What a fault is to the experiment."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.progress import Listener


def _nothing(_cluster: Cluster, _told: Listener) -> None:
    """A fault that needs no preparation."""


def _possible() -> str | None:
    """A fault that can be had everywhere."""
    return None


@dataclass(frozen=True)
class Fault:
    """A fault: which nodes it befalls, and how it begins and ends."""

    name: str
    #: What happens, as it stands above a table or chart.
    title: str
    #: The faulty nodes, by their places in the cluster.
    places: tuple[int, ...]
    #: The fault lasts as long as the block.
    befalls: Callable[[Cluster], AbstractContextManager[None]]
    #: At most so long, whatever the plan says; None: as the plan says.
    at_most_s: float | None = None
    #: Whether the faulty nodes are bad coordinators too. No choice of replicas helps their own clients, which are
    #: therefore counted apart.
    own_clients_apart: bool = False
    #: What happens under load, after `well`, before it begins; it takes about `prepared_in_s`.
    prepare: Callable[[Cluster, Listener], None] = _nothing
    prepared_in_s: float = 0
    #: Returns why it cannot be had here, in a sentence; None when it can.
    obstacle: Callable[[], str | None] = _possible

    def nodes(self, cluster: Cluster) -> list[Node]:
        """Return the faulty nodes."""
        return [cluster.nodes[place] for place in self.places]

    def lasts_s(self, planned_s: float) -> float:
        """Return how long it lasts where the plan says so much."""
        return planned_s if self.at_most_s is None else min(planned_s, self.at_most_s)
