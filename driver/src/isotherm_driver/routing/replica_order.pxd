# SPDX-License-Identifier: Apache-2.0
"""The replicas of a partition in order of distance, shared by all partitions that have the same ones."""

from isotherm_driver.hosts.table cimport HostTable

cdef enum:
    MOST_REPLICAS = 32


cdef class ReplicaOrder:
    cdef readonly tuple replicas, listed
    cdef readonly object source
    cdef public bytes by_address   # the near places by ascending address, once somebody has sorted them
    cdef readonly int count, rack_end, local_end, total
    cdef readonly int leader         # the place of the replica that leads the tablet, -1 where nobody is known to


cdef ReplicaOrder of_groups(list rack, list local, list remote, list listed, Py_ssize_t total)
cdef ReplicaOrder ordered(HostTable table, list replicas, bint remote_too)


cdef inline bint is_offered(int nearness, bint remote_too) noexcept:
    """Whether a replica of that nearness leads a plan: a remote one does under scylla-driver."""
    return 0 <= nearness <= (2 if remote_too else 1)
