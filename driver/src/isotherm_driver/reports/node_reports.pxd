# SPDX-License-Identifier: Apache-2.0
"""What nodes that run the Isotherm plugin have published: queue depths, and the heat of tables."""

from isotherm_driver.reports.by_host cimport ByHost


cdef class HostHeat:
    cdef object kind
    cdef double value


cdef class NodeReports:
    cdef double depths_at, heats_at
    cdef readonly double stale_after
    cdef readonly double miss_floor, warm_read_us  # as the nodes have them
    cdef object clock             # None: the system's monotonic one
    cdef ByHost depths_by_host
    cdef dict heats_by_table      # a ByHost of HostHeat for each (keyspace, table) published or asked for
    cdef dict in_use              # when a plan was last found to have asked for a (keyspace, table)

    cdef double now(self) except? -1
    cdef bint has_depths(self) except -1
    cdef double depth(self, host) except? -1
    cdef object published_depth(self, host)
    cdef bint ratios(self, keyspace, table, list hosts, double* misses) except -1
