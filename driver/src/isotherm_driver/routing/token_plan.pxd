# SPDX-License-Identifier: Apache-2.0
"""The token-aware plan: the replicas by distance, then the other hosts of the child's plan."""

from isotherm_driver.hosts.plan cimport HostPlan
from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.hosts.offered cimport Offered
from isotherm_driver.routing.replica_order cimport MOST_REPLICAS, ReplicaOrder
from isotherm_driver.routing.router cimport TokenRouter


cdef class TokenPlan:
    cdef TokenRouter policy
    cdef object working_keyspace, keyspace, query
    cdef HostTable table
    cdef ReplicaOrder order
    cdef tuple hosts
    cdef object tail
    cdef HostPlan others
    cdef Offered offered  # the replicas, once the others come from another table than they did
    cdef Py_ssize_t index, left, position
    cdef int state, segment
    cdef bint shuffling, arranged
    cdef unsigned char draw[MOST_REPLICAS]

    cdef int begin(self) except -1
    cdef int arrange(self, bytes key) except -1
    cdef int begin_others(self) except -1
    cdef next_replica(self)
    cdef next_other(self)
    cdef int go_on_in_python(self, remaining, bint replicas_left) except -1
