# SPDX-License-Identifier: Apache-2.0
"""The coordinators that serve a read themselves under affinity placement."""

from libc.stdint cimport int64_t, uint64_t

from isotherm_driver.reports.node_reports cimport NodeReports
from isotherm_driver.routing.replica_order cimport ReplicaOrder
from isotherm_driver.statements.facts cimport StatementFacts


cdef class ReadingCoordinators:
    cdef NodeReports reports      # None: heat counts as equal
    cdef object consistency_level

    cdef uint64_t places(
        self, ReplicaOrder order, object keyspace, object query, StatementFacts facts, int64_t token) except? 1
    cdef int contacted(self, object query, ReplicaOrder order) except -1
