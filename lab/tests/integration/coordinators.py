# SPDX-License-Identifier: Apache-2.0
"""Sessions that send every request to one node, so that it is known who coordinates."""

import ssl
from collections.abc import Callable, Iterable, Sequence

from cassandra import ConsistencyLevel
from cassandra.auth import AuthProvider
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, Session
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.policies import ConstantReconnectionPolicy, FallthroughRetryPolicy, WhiteListRoundRobinPolicy
from waiting import until

#: How long a change of the schema may take: nodes that drop a table flush and remove files first, on one disk.
SCHEMA_S = 120
_CONCURRENCY = 48


def pinned(
    address: str,
    auth: AuthProvider | None = None,
    tls: ssl.SSLContext | None = None,
    level: int = ConsistencyLevel.ONE,
) -> Session:
    """Return a session whose only coordinator is `address`; it reports each failure and repeats nothing."""
    profile = ExecutionProfile(
        load_balancing_policy=WhiteListRoundRobinPolicy([address]),
        retry_policy=FallthroughRetryPolicy(),
        consistency_level=level,
        request_timeout=30,
    )
    cluster = Cluster(
        [address],
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        reconnection_policy=ConstantReconnectionPolicy(0.5, max_attempts=None),
        connect_timeout=15,
        control_connection_timeout=30,
        # Afterwards a statement returns as if they agreed.
        max_schema_agreement_wait=SCHEMA_S,
        protocol_version=5,
        auth_provider=auth,
        ssl_context=tls,
    )
    try:
        return cluster.connect()
    except BaseException:
        cluster.shutdown()
        raise


def execute_all(session: Session, statement, arguments: Iterable[Sequence], level: int) -> int:
    """Execute the prepared statement once for each tuple of arguments; the first failure is raised."""
    statement.consistency_level = level
    return len(execute_concurrent_with_args(session, statement, arguments, concurrency=_CONCURRENCY))


class Coordinators:
    """One session for each node, opened when first asked for."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def at(self, address: str) -> Session:
        """Return the session that is pinned to this node."""
        if address not in self._sessions:
            self._sessions[address] = pinned(address)
        return self._sessions[address]

    def forget(self, address: str) -> None:
        """Close the session of a node that is about to go."""
        session = self._sessions.pop(address, None)
        if session is not None:
            session.cluster.shutdown()

    def wait_until_up(self, addresses: Iterable[str]) -> None:
        """Wait until every open session holds these nodes for up.

        After a change of the schema the driver waits for the agreement of the nodes that it holds for up, and of no
        others; it hears of a node that is back about a second after the node's peers do.
        """
        awaited = set(addresses)
        for address in list(self._sessions):
            # A driver that misses the event, as while its control connection is made anew, does not hear of it again.
            if not _comes(lambda address=address: awaited <= _up(self._sessions[address])):
                self.forget(address)
                until(lambda address=address: awaited <= _up(self.at(address)), f"{address} tells that they are up")

    def close(self) -> None:
        """Close every session."""
        for address in list(self._sessions):
            self.forget(address)


def _comes(condition: Callable[[], bool]) -> bool:
    try:
        return until(condition, "it is heard of", timeout_s=10)
    except AssertionError:
        return False


def _up(session: Session) -> set[str]:
    # None says that the driver has neither connected to the host nor heard of it; it waits for such ones.
    return {host.address for host in session.cluster.metadata.all_hosts() if host.is_up is not False}
