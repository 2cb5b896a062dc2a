# SPDX-License-Identifier: Apache-2.0
"""The way from a token to its replicas in order, for one keyspace."""

from cpython.object cimport PyObject
from libc.stdint cimport int8_t

from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.replica_order cimport ReplicaOrder
from isotherm_driver.routing.replica_ring cimport ReplicaRing
from isotherm_driver.routing.token_ring cimport TokenRing


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
