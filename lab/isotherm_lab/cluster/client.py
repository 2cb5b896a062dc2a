# SPDX-License-Identifier: Apache-2.0
"""How the lab connects to a cluster: one way for loading and for measuring."""

from collections.abc import Iterator
from contextlib import contextmanager

from cassandra import ConsistencyLevel
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, Session
from cassandra.policies import (
    ConstantReconnectionPolicy,
    DCAwareRoundRobinPolicy,
    FallthroughRetryPolicy,
    HostFilterPolicy,
    TokenAwarePolicy,
)

from isotherm_lab.cluster.configuration import DATACENTER


@contextmanager
def connected(
    contact_points: list[str],
    consistency: str = "QUORUM",
    timeout_s: float = 10.0,
    repeat: bool = True,
    only: bool = False,
    datacenter: str = DATACENTER,
) -> Iterator[Session]:
    """Yield a session that sends each request to a random replica and finds a returned node within half a second.

    Without `repeat` the driver sends no request a second time, whatever becomes of the first. With `only`, no node but
    the contact points gets any. No node of another datacenter does.
    """
    nodes = DCAwareRoundRobinPolicy(datacenter)
    if only:
        nodes = HostFilterPolicy(nodes, lambda host: host.address in contact_points)
    profile = ExecutionProfile(
        load_balancing_policy=TokenAwarePolicy(nodes, shuffle_replicas=True),
        consistency_level=ConsistencyLevel.name_to_value[consistency],
        request_timeout=timeout_s,
        retry_policy=None if repeat else FallthroughRetryPolicy(),
    )
    cluster = Cluster(
        contact_points,
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        reconnection_policy=ConstantReconnectionPolicy(0.5, max_attempts=None),
        connect_timeout=10,
        # A node that has just started reads its schema for the first time.
        control_connection_timeout=30,
    )
    try:
        yield cluster.connect()
    finally:
        cluster.shutdown()
