# SPDX-License-Identifier: Apache-2.0
"""The replicas of a partition in order of distance, shared by all partitions that have the same ones."""

from cpython.object cimport PyObject
from libc.stdint cimport int8_t

from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.replica_ring cimport ReplicaRing
from isotherm_driver.routing.token_ring cimport TokenRing

cdef enum:
    MOST_REPLICAS = 32


cdef class ReplicaOrder:
    cdef readonly tuple replicas, listed
    cdef readonly object source
    cdef public object by_address  # the near places by ascending address, once somebody has sorted them
    cdef readonly int count, rack_end, local_end, total


cdef ReplicaOrder ordered(HostTable table, list replicas, bint remote_too)


cdef class Route:
    cdef object token_map
    cdef dict token_map_names  # the token map's own attributes
    cdef TokenRing tokens
    cdef ReplicaRing ring
    cdef HostTable table
    cdef bint remote_too
    cdef tuple listed
    cdef int8_t* nearness
    cdef PyObject** orders
    cdef dict interned

    cdef ReplicaOrder order_at(self, Py_ssize_t position)
    cdef ReplicaOrder make(self, Py_ssize_t position)
