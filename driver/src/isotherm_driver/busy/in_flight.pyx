# SPDX-License-Identifier: Apache-2.0
"""How many requests of this process a host has yet to answer, as the driver's own connections count them."""

cdef enum:
    LOOK_AGAIN = 256


cdef class PoolsInFlight:
    """Requests in flight per host, summed over the connections of all sessions of a cluster.

    A request that timed out counts until the host answers it: what is waited for in vain is in its queue all the
    same. Sessions and pools are looked for again every 256 questions, because a new one tells nobody, and at once
    when a pool has shut down.
    """

    cdef object cluster
    cdef dict pools
    cdef int questions

    def __init__(self, cluster):
        self.cluster = cluster
        self.pools = {}

    def __call__(self, host):
        """The requests in flight to the host, None where nothing is known of it."""
        cdef Py_ssize_t total = 0
        cdef tuple found
        self.questions += 1
        if self.questions >= LOOK_AGAIN:
            self.questions = 0
            self.pools = {}
        known = self.pools.get(id(host))
        if known is None:
            known = self.look(host)
        found = <tuple> (<tuple> known)[1]
        for pool in found:
            if pool.is_shutdown:
                found = <tuple> self.look(host)[1]
                break
        if not found:
            return None
        for pool in found:
            for connection in pool.get_connections():
                total += connection.in_flight
        return total

    cdef tuple look(self, host):
        """The pools of all sessions for the host; the host is kept with them, so that its id stays its own."""
        sessions = tuple(getattr(self.cluster, "sessions", ()))
        pools = [session._pools.get(host) for session in sessions]
        known = (host, tuple([pool for pool in pools if pool is not None and not pool.is_shutdown]))
        self.pools[id(host)] = known
        return known
