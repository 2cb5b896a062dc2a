# SPDX-License-Identifier: Apache-2.0
"""The clusters that faults befall: how many nodes in which datacenters, and at which level clients ask them."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from cassandra.cluster import Session

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.configuration import DATACENTER
from isotherm_lab.cluster.jvm import HEAP_MIB

#: How long whoever looks at a cluster, and is no client, waits for an answer.
_PATIENCE_S = 30


@dataclass(frozen=True, eq=False)
class Scene:
    """A cluster; faults with the same one befall it one after the other."""

    name: str
    #: Of each node, in their order; those of one follow each other.
    datacenters: tuple[str, ...]
    #: The consistency level of the clients of each datacenter, which use no coordinator of another one.
    levels: Mapping[str, str]
    #: The level at which each datacenter finds again what its clients wrote.
    audited: str = "QUORUM"
    heap_mib: int = HEAP_MIB
    #: Whether it has as many tables as the plan says, with clients of their own.
    many_tables: bool = False

    @property
    def replicas(self) -> dict[str, int]:
        """Return how many replicas each datacenter has: every node is one."""
        return {each: self.datacenters.count(each) for each in self.levels}

    def addresses(self, cluster: Cluster, datacenter: str) -> list[str]:
        """Return those of a datacenter's nodes."""
        pairs = zip(cluster.nodes, self.datacenters, strict=True)
        return [node.address for node, own in pairs if own == datacenter]

    def session_of(self, cluster: Cluster, place: int) -> AbstractContextManager[Session]:
        """Return a session with one node and no other, at ONE."""
        address, own = cluster.nodes[place].address, self.datacenters[place]
        return connected([address], "ONE", timeout_s=_PATIENCE_S, only=True, datacenter=own)

    def audit_of(self, cluster: Cluster, datacenter: str) -> AbstractContextManager[Session]:
        """Return a session that finds again what the clients of a datacenter wrote."""
        points = self.addresses(cluster, datacenter)
        return connected(points, self.audited, timeout_s=_PATIENCE_S, datacenter=datacenter)


ONE_DATACENTER = Scene("", (DATACENTER,) * 3, {DATACENTER: "QUORUM"})
#: A quorum of each datacenter is there while one of its nodes is not: of two replicas it would not be, and how many
#: operations fail would only say how long a node was away.
TWO_DATACENTERS = Scene(
    "two-datacenters",
    ("dc1",) * 3 + ("dc2",) * 3,
    {"dc1": "LOCAL_QUORUM", "dc2": "EACH_QUORUM"},
    audited="LOCAL_QUORUM",
)
MANY_TABLES = Scene("many-tables", (DATACENTER,) * 3, {DATACENTER: "QUORUM"}, heap_mib=4096, many_tables=True)
