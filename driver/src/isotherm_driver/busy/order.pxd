# SPDX-License-Identifier: Apache-2.0
"""The soft-limit rule: who is below the limit keeps its place, who is above comes later, the least busy first."""

from libc.stdint cimport uint64_t

from isotherm_driver.busy.in_flight cimport PoolsInFlight
from isotherm_driver.reports.node_reports cimport NodeReports
from isotherm_driver.routing.replica_order cimport ReplicaOrder


cdef class BusyOrder:
    cdef object __weakref__
    cdef object in_flight
    cdef PoolsInFlight pools      # where `in_flight` is one
    cdef NodeReports reports
    cdef double soft_limit, node_soft_limit
    cdef uint64_t state

    cdef double excess(self, host, bint depths) except -1
    cdef int shuffle(self, unsigned char* places, int begin, int end) noexcept
    cdef int fill(self, ReplicaOrder order, uint64_t first, bint shuffling, unsigned char* places) except -1
