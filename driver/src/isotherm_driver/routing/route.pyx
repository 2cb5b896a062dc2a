# SPDX-License-Identifier: Apache-2.0
"""The way from a token to its replicas in order, for one keyspace."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, uint32_t

from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.replica_order cimport MOST_REPLICAS, ReplicaOrder, is_offered, of_groups
from isotherm_driver.routing.replica_ring cimport ReplicaRing
from isotherm_driver.routing.token_ring cimport TokenRing


cdef class Route:
    """The way from a token to its replicas' order, for one keyspace and one state of topology and settings.

    Immutable but for the orders, which are made when a position is first asked for. A position's slot only ever
    goes from empty to filled, with a value that does not depend on who fills it.
    """

    def __init__(self, token_map, TokenRing tokens, ReplicaRing ring, HostTable table, bint remote_too):
        cdef Py_ssize_t i, count = len(ring.hosts)
        cdef dict by_host = {host: host for host in table.hosts()}  # an equal host finds the object that is listed
        self.token_map, self.tokens, self.ring, self.table = token_map, tokens, ring, table
        self.token_map_names = vars(token_map)
        self.remote_too = remote_too
        self.interned = {}
        self.nearness = <int8_t*> PyMem_Malloc(max(count, 1))
        self.orders = <PyObject**> PyMem_Calloc(max(ring.length, 1), sizeof(PyObject*))
        if self.nearness == NULL or self.orders == NULL:
            raise MemoryError
        for i in range(count):
            self.nearness[i] = <int8_t> table.nearness(ring.hosts[i])
        self.listed = tuple([by_host.get(host, host) for host in ring.hosts])

    def __dealloc__(self):
        PyMem_Free(self.nearness)
        PyMem_Free(self.orders)

    cdef ReplicaOrder order_at(self, Py_ssize_t position):
        """The order at a position of the ring; None where there are too many replicas."""
        cdef PyObject* order = self.orders[position]  # borrowed: `interned` owns it as long as this lives
        if order != NULL:
            return <ReplicaOrder> order
        return self.make(position)

    cdef ReplicaOrder make(self, Py_ssize_t position):
        cdef uint32_t used[MOST_REPLICAS]
        cdef Py_ssize_t i, count = 0
        cdef uint32_t member
        cdef int8_t near
        cdef list groups, listed
        cdef ReplicaOrder order
        for i in range(self.ring.starts[position], self.ring.starts[position + 1]):
            near = self.nearness[self.ring.members[i]]
            if is_offered(near, self.remote_too):
                if count == MOST_REPLICAS:
                    return None
                used[count] = self.ring.members[i]
                count += 1
        key = PyBytes_FromStringAndSize(<char*> used, count * sizeof(uint32_t))
        order = self.interned.get(key)
        if order is None:
            groups, listed = [[], [], []], []
            for i in range(count):
                member = used[i]
                (<list> groups[self.nearness[member]]).append(self.ring.hosts[member])
                listed.append(self.listed[member])
            # setdefault: whoever comes second takes what the first has put there
            order = self.interned.setdefault(key, of_groups(
                groups[0], groups[1], groups[2], listed,
                self.ring.starts[position + 1] - self.ring.starts[position]))
        self.orders[position] = <PyObject*> order
        return order
