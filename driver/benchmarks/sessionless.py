# SPDX-License-Identifier: Apache-2.0
"""A Session without a server: everything of execute_async is real up to the bytes, which go nowhere."""

import random
import threading
from collections.abc import Callable
from typing import Any

from cassandra.cluster import Cluster, ExecutionProfile, Session
from cassandra.encoder import Encoder
from cassandra.pool import Host
from ring import BenchCluster, prepared

PROTOCOL_VERSION = 4


class Nowhere:
    """A connection pool and its one connection: encodes what it is given, as a connection does, and drops it."""

    is_shutdown = False

    def __init__(self, features: Any) -> None:
        self._features = features
        self.sent = 0

    def borrow_connection(self, timeout: float, **routing: Any) -> tuple["Nowhere", int]:
        return self, 1

    def send_msg(self, message: Any, request_id: int, cb: Any, encoder: Any, decoder: Any, result_metadata: Any) -> int:
        self.sent += 1
        return len(
            encoder(
                message, request_id, PROTOCOL_VERSION,
                compressor=None, allow_beta_protocol_version=False, protocol_features=self._features,
            )
        )  # fmt: skip


class SessionToNowhere(Session):
    """A session that never connected: it is given its pools."""

    def __init__(self, cluster: Cluster, pools: dict[Host, Nowhere]):
        self.cluster = cluster
        self.keyspace = None
        self._lock = threading.RLock()
        self._pools = pools
        self._profile_manager = cluster.profile_manager
        self._metrics = None
        self._request_init_callbacks = []
        self._protocol_version = PROTOCOL_VERSION
        self.encoder = Encoder()


class Requests:
    """Prepared requests by random keys under scylla-driver, with an execution profile for each policy compared."""

    def __init__(self, ring: BenchCluster, policies: dict[str, Any], keys: int):
        from cassandra.protocol_features import ProtocolFeatures

        # No timeout: a timer for a request that nobody answers would stay in a heap that grows without end.
        profiles = {
            name: ExecutionProfile(load_balancing_policy=policy, request_timeout=None)
            for name, policy in policies.items()
        }
        self.cluster = Cluster([ring.hosts[0].address], execution_profiles=profiles, protocol_version=PROTOCOL_VERSION)
        self.cluster.metadata = ring.metadata
        self.pools = {host: Nowhere(ProtocolFeatures()) for host in ring.hosts}
        self._session = SessionToNowhere(self.cluster, self.pools)
        self._statement = prepared(PROTOCOL_VERSION)
        source = random.Random(17)
        self._rows = [(source.getrandbits(63),) for _ in range(keys)]
        self._some_host = ring.hosts[0]

    def through(self, profile: str) -> Callable[[], None]:
        """Return what executes every request once through the policy of this profile."""
        execute, statement, rows = self._session.execute_async, self._statement, self._rows

        def all_of_them() -> None:
            for row in rows:
                execute(statement, row, execution_profile=profile)

        return all_of_them

    def without_a_policy(self, profile: str) -> Callable[[], None]:
        """Return what executes every request once at one and the same host, so that no policy is asked."""
        execute, statement, rows, host = self._session.execute_async, self._statement, self._rows, self._some_host

        def all_of_them() -> None:
            for row in rows:
                execute(statement, row, execution_profile=profile, host=host)

        return all_of_them

    def check(self, profile: str) -> None:
        """Raise AssertionError unless each request goes, once, to a replica of its key."""
        for row in self._rows:
            future = self._session.execute_async(self._statement, row, execution_profile=profile)
            assert len(future.attempted_hosts) == 1, future._errors
            routing_key = self._statement.bind(row).routing_key
            assert future.attempted_hosts[0] in self.cluster.metadata.get_replicas("shop", routing_key)

    def close(self) -> None:
        """End the threads that a Cluster has from the beginning."""
        self.cluster.shutdown()
