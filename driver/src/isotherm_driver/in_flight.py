# SPDX-License-Identifier: Apache-2.0
"""How many requests of this process a host has yet to answer, as the driver's own connections count them."""

from typing import Any


class PoolsInFlight:
    """Requests in flight per host, summed over the connections of all sessions of a cluster.

    A request that timed out counts until the host answers it: what is waited for in vain is in its queue all the same.
    Sessions are looked for again every so many questions, because a new one tells nobody.
    """

    LOOK_AGAIN = 256

    def __init__(self, cluster: Any):
        self._cluster = cluster
        self._sessions: tuple[Any, ...] = ()
        self._questions = 0

    def __call__(self, host: Any) -> int | None:
        """The requests in flight to the host, None where nothing is known of it."""
        if self._questions % self.LOOK_AGAIN == 0:
            self._sessions = tuple(getattr(self._cluster, "sessions", ()))
        self._questions += 1
        total = None
        for session in self._sessions:
            pool = session._pools.get(host)
            if pool is not None:
                total = sum([connection.in_flight for connection in pool.get_connections()], total or 0)
        return total
