# SPDX-License-Identifier: Apache-2.0
"""ScyllaDB's tablets: the replicas of a token range, as the driver learns them one by one."""

from libc.stdint cimport int64_t

from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.replica_order cimport ReplicaOrder


cdef object tablet_at(list tablets, int64_t token)


cdef class TabletIndex:
    cdef list tablets
    cdef int64_t* last_tokens
    cdef Py_ssize_t length, misses

    cdef object find(self, int64_t token)
    cdef bint outdated(self) noexcept


cdef class TabletOrders:
    cdef HostTable table
    cdef object token_map
    cdef dict by_id, orders
    cdef Py_ssize_t limit

    cdef ReplicaOrder order_of(self, object tablet, dict by_table)
