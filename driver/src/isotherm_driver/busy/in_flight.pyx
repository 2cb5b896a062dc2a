# SPDX-License-Identifier: Apache-2.0
"""How many requests of this process a host has yet to answer, as the driver's own connections count them."""

from weakref import ref

cdef enum:
    LOOK_AGAIN = 256
    LOOK_AGAIN_FOR_ANY = 8
    FEW_HOSTS = 8
    ATTEMPTS = 2


cdef class HostPools:
    """The pools of all sessions for a host, which is kept with them so that its id stays its own."""


cdef class PoolsInFlight:
    """Requests in flight per host, summed over the connections of all sessions of a cluster.

    A request that timed out counts until the host answers it or the connection is closed: what is waited for in vain
    is in its queue all the same. The pools of a host are looked for again every 256 questions about it, because a new
    one tells nobody, every 8 while there is none, and at once when one has shut down. As many hosts as the cluster
    lists may be kept that it lists no more, and a few. The cluster is held weakly: the driver may hand over the
    cluster itself, as `add_execution_profile` does, or a proxy of it. Once it is gone it has no sessions.
    """

    def __init__(self, cluster):
        try:
            self.cluster = ref(cluster)
        except TypeError:  # a proxy, which keeps nobody itself, or what stands for a cluster
            self.cluster = lambda: cluster
        self.known = {}
        self.most_known = FEW_HOSTS

    def __call__(self, host):
        """The requests in flight to the host, None where nothing is known of it."""
        total = self.of(host)
        return None if total < 0 else total

    cdef Py_ssize_t of(self, host) except? -2:
        """The requests in flight to the host, -1 where nothing is known of it."""
        cdef Py_ssize_t total = 0
        cdef HostPools found = <HostPools> self.known.get(id(host))
        if found is None or found.questions >= (LOOK_AGAIN if found.pools else LOOK_AGAIN_FOR_ANY):
            found = self.look(host)
        found.questions += 1
        for pool in found.pools:
            if pool.is_shutdown:
                found = self.look(host)
                break
        if not found.pools:
            return -1
        for pool in found.pools:
            total += of_pool(pool)
        return total

    cdef HostPools look(self, host):
        cdef HostPools known, found = HostPools.__new__(HostPools)
        cluster = self.cluster()
        try:
            sessions = sessions_of(cluster)
        except ReferenceError:  # a proxy of a cluster that is gone
            cluster, sessions = None, ()
        if sessions is None:  # nothing new is known, and the next question looks again
            known = <HostPools> self.known.get(id(host))
            if known is not None:
                return known
            found.pools = ()
            return found
        pools = [session._pools.get(host) for session in sessions]
        found.host = host
        found.pools = tuple([pool for pool in pools if pool is not None and not pool.is_shutdown])
        self.known[id(host)] = found
        if len(self.known) > self.most_known:
            self.forget(() if cluster is None else cluster.metadata.all_hosts())
        return found

    cdef int forget(self, all_hosts) except -1:
        """Keep what the cluster lists: nodes come back with other addresses, as pods do, and as other hosts."""
        # Not by equality: that of hosts is of their addresses. Both objects live, so that equal ids are one object.
        hosts = list(all_hosts)
        listed = {id(host) for host in hosts}
        # A new dictionary: other threads may be asking, and what they write to the old one is looked for again.
        self.known = {key: found for key, found in list(self.known.items()) if key in listed}
        self.most_known = 2 * len(hosts) + FEW_HOSTS
        return 0


cdef tuple sessions_of(cluster):
    """The sessions of a cluster; None where another thread has connected each time that they were gone through.

    The drivers keep them in a WeakSet, which throws then.
    """
    cdef int attempt
    for attempt in range(ATTEMPTS):
        try:
            return tuple(getattr(cluster, "sessions", ()))
        except RuntimeError:
            pass
    return None


cdef Py_ssize_t of_pool(pool) except? -1:
    """The requests in flight of a pool: read where both drivers keep its connections, else as it answers itself."""
    cdef Py_ssize_t total = 0
    names = getattr(pool, "__dict__", None)
    connections = (<dict> names).get("_connections") if type(names) is dict else None
    if type(connections) is dict:
        for connection in list((<dict> connections).values()):
            total += of_connection(connection)
        return total
    connection = (<dict> names).get("_connection") if type(names) is dict else None
    if connection is not None:
        return of_connection(connection)
    for connection in pool.get_connections():
        total += of_connection(connection)
    return total


cdef bint is_over(connection) except -1:
    """Whether nothing will be answered on a connection any more.

    The drivers keep the ids of what had timed out on it, and may notice its end only by the next request, which a host
    that is avoided for these would not get.
    """
    return getattr(connection, "is_closed", False) is True or getattr(connection, "is_defunct", False) is True


cdef Py_ssize_t of_connection(connection) except? -1:
    """The requests that a connection waits for, those that timed out included; 0 or above.

    Of the drivers' two counts the smaller. `in_flight` counts how often a connection was borrowed and not returned: for
    good where it was too busy to send, and below zero where it is returned by one that has not borrowed it. The requests
    that it keeps include those that could not be encoded.
    """
    cdef Py_ssize_t borrowed = connection.in_flight
    if borrowed <= 0 or is_over(connection):
        return 0
    requests, timed_out = getattr(connection, "_requests", None), getattr(connection, "orphaned_request_ids", None)
    if requests is None or timed_out is None:
        return borrowed
    return min(borrowed, len(requests) + len(timed_out))
