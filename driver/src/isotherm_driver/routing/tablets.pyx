# SPDX-License-Identifier: Apache-2.0
"""ScyllaDB's tablets: the replicas of a token range, as the driver learns them one by one."""

from isotherm_driver.routing.tablet_leaders import is_led

from cpython.list cimport PyList_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport INT64_MAX, INT64_MIN, int64_t

from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.replica_order cimport ReplicaOrder, ordered

cdef enum:
    FEWEST_COUNTED = 1024  # orders below which nobody counts how many tablets there still are


cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1


cdef inline int64_t bound(object token) except? -1:
    """A range's end as a number that compares with tokens as the end does, also if it lies beyond all of them."""
    cdef int overflow = 0
    cdef int64_t value = PyLong_AsLongLongAndOverflow(token, &overflow)
    return INT64_MAX if overflow > 0 else INT64_MIN if overflow < 0 else value


cdef inline bint holds(object tablet, int64_t token) except -1:
    return bound(tablet.first_token) < token <= bound(tablet.last_token)


cdef object tablet_at(list tablets, int64_t token):
    """The tablet whose range (first_token, last_token] holds the token, else None.

    The list is the driver's own and changes in place; it is read here without giving way to another thread.
    """
    cdef Py_ssize_t low = 0, high = PyList_GET_SIZE(tablets), middle
    while low < high:
        middle = (low + high) >> 1
        if bound(tablets[middle].last_token) < token:
            low = middle + 1
        else:
            high = middle
    if low >= PyList_GET_SIZE(tablets):
        return None
    tablet = tablets[low]
    return tablet if holds(tablet, token) else None


cdef class TabletIndex:
    """The last tokens of a table's tablets, as they were when this was made: where in the driver's list to look.

    What is found there is believed only if it is the tablet of the token; then it is the right one, for tablets do
    not overlap. Else the list itself is searched, and after many such misses it is time for a new index.
    """

    def __init__(self, list tablets):
        cdef Py_ssize_t i, length = PyList_GET_SIZE(tablets)
        self.tablets = tablets
        self.last_tokens = <int64_t*> PyMem_Malloc(max(length, 1) * sizeof(int64_t))
        if self.last_tokens == NULL:
            raise MemoryError
        for i in range(length):
            if i >= PyList_GET_SIZE(tablets):
                break
            self.last_tokens[i] = bound(tablets[i].last_token)
            self.length = i + 1

    def __dealloc__(self):
        PyMem_Free(self.last_tokens)

    cdef object find(self, int64_t token):
        """As tablet_at of the list."""
        cdef Py_ssize_t low = 0, high = self.length, middle
        while low < high:
            middle = (low + high) >> 1
            if self.last_tokens[middle] < token:
                low = middle + 1
            else:
                high = middle
        if low < PyList_GET_SIZE(self.tablets):
            tablet = self.tablets[low]
            if holds(tablet, token):
                return tablet
        self.misses += 1
        return tablet_at(self.tablets, token)

    cdef bint outdated(self) noexcept:
        """Whether a new index pays: it costs about as much as these misses did."""
        return 4 * self.misses > self.length + 64


cdef class TabletOrders:
    """The orders of the tablets seen under one host table and token map, each kept with the tablet it belongs to."""

    def __init__(self, HostTable table, token_map):
        self.table = table
        self.token_map = token_map
        self.by_id = {host.host_id: host for host in table.hosts()}
        self.orders = {}
        self.limit = FEWEST_COUNTED

    cdef ReplicaOrder order_of(self, object tablet, dict by_table):
        """The live replicas of one of these tablets; None where there are too many.

        Replaced tablets are forgotten, all at once with the others, when they are more than half of those kept.
        """
        cdef ReplicaOrder order = <ReplicaOrder> self.orders.get(tablet)
        if order is not None and order.source is tablet.replicas:
            return order
        replicas = tablet.replicas
        hosts = [self.by_id.get(replica[0]) for replica in replicas]
        order = ordered(self.table, [host for host in hosts if host is not None], True)
        if order is not None:
            order.source = replicas
            if is_led(tablet):
                leader = self.by_id.get(tablet.leader)
                order.leader = order.replicas.index(leader) if leader in order.replicas else -1
            if len(self.orders) >= self.limit:
                live = sum([len(tablets) for tablets in list(by_table.values())])
                if len(self.orders) >= 2 * live:
                    self.orders = {}
                self.limit = max(FEWEST_COUNTED, 2 * live)
            self.orders[tablet] = order
        return order
