# SPDX-License-Identifier: Apache-2.0
"""ScyllaDB's tablets: the replicas of a token range, as the driver learns them one by one."""

from cpython.list cimport PyList_GET_SIZE
from libc.stdint cimport int64_t

from isotherm_driver.host_table cimport HostTable
from isotherm_driver.replica_order cimport ReplicaOrder, ordered

cdef enum:
    MOST_ORDERS = 1 << 18  # of tablets that may have been replaced since; then all are made anew


cdef object tablet_at(list tablets, int64_t token):
    """The tablet whose range (first_token, last_token] holds the token, else None.

    The list is the driver's own and changes in place; it is read here without giving way to another thread.
    """
    cdef Py_ssize_t low = 0, high = PyList_GET_SIZE(tablets), middle
    while low < high:
        middle = (low + high) >> 1
        if <int64_t> tablets[middle].last_token < token:
            low = middle + 1
        else:
            high = middle
    if low >= PyList_GET_SIZE(tablets):
        return None
    tablet = tablets[low]
    return tablet if <int64_t> tablet.first_token < token <= <int64_t> tablet.last_token else None


cdef class TabletOrders:
    """The orders of the tablets seen under one host table, each kept with the tablet it belongs to."""

    def __init__(self, HostTable table):
        self.table = table
        self.by_id = {host.host_id: host for host in table.rack + table.local + table.remote}
        self.orders = {}

    cdef ReplicaOrder order_of(self, object tablet):
        """The tablet's live replicas; None where there are too many."""
        cdef ReplicaOrder order = <ReplicaOrder> self.orders.get(tablet)
        if order is not None and order.source is tablet.replicas:
            return order
        replicas = tablet.replicas
        hosts = [self.by_id.get(replica[0]) for replica in replicas]
        order = ordered(self.table, [host for host in hosts if host is not None], True)
        if order is not None:
            order.source = replicas
            if len(self.orders) >= MOST_ORDERS:
                self.orders = {}
            self.orders[tablet] = order
        return order
