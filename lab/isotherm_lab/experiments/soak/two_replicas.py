# SPDX-License-Identifier: Apache-2.0
"""Each partition has two replicas on three nodes: a quorum is both, and nothing is in reserve."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from cassandra.cluster import Session

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.configuration import DATACENTER
from isotherm_lab.cluster.suspension import suspended
from isotherm_lab.data.slow_table import KEYSPACE

#: Shorter than what any request waits for a replica.
PAUSE_S = 1.0
_PAUSES = 3
_BETWEEN_S = 2.0


@contextmanager
def two_replicas(cluster: Cluster, place: int) -> Iterator[None]:
    """Take a replica from each partition, and have a node stand still for moments; three replicas after the block.

    Two of three and both of two always have a replica in common: what was acknowledged before stays so.
    """
    with connected(cluster.contact_points(), timeout_s=30) as session:
        _replicate(session, 2)
        for _ in range(_PAUSES):
            with suspended(cluster.nodes[place]):
                time.sleep(PAUSE_S)
            time.sleep(_BETWEEN_S)
        yield
        _replicate(session, len(cluster.nodes))


def _replicate(session: Session, replicas: int) -> None:
    session.execute(
        f"ALTER KEYSPACE {KEYSPACE} WITH replication ="
        f" {{'class': 'NetworkTopologyStrategy', '{DATACENTER}': {replicas}}}"
    )
