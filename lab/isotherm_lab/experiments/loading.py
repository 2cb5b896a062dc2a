# SPDX-License-Identifier: Apache-2.0
"""Filling the tables of a cluster before anything is measured."""

from collections.abc import Iterator
from contextlib import contextmanager

from cassandra.cluster import Session

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.data.slow_table import KEYSPACE


@contextmanager
def loading(cluster: Cluster) -> Iterator[Session]:
    """Yield a session that writes to all replicas; what it wrote is flushed after. The disks are fast from now on."""
    cluster.storage.fast(cluster.nodes)
    with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
        yield session
    cluster.order("flush", KEYSPACE)
    cluster.storage.bound(cluster.nodes)
