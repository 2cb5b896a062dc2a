# SPDX-License-Identifier: Apache-2.0
"""Token-aware plans: from the routing key to hosts without a line of Python."""

from libc.stdint cimport int64_t, uint64_t

from isotherm_driver.host_plan cimport HostPlan, TableHolder
from isotherm_driver.host_table cimport HostTable
from isotherm_driver.replica_order cimport MOST_REPLICAS, ReplicaOrder, Route
from isotherm_driver.tablets cimport TabletOrders


cdef class TokenAwareCore:
    cdef public object _hosts_lock
    cdef object child, cluster_metadata
    cdef TableHolder holder      # the child, where it is one of this package's own that lists hosts
    cdef dict metadata           # the real metadata's attributes, else None
    cdef public object shuffle_replicas, _prefer_tablet_leader
    cdef public object _arrange  # None, or what puts replicas into another order than a random one
    cdef dict routes, tablet_indexes
    cdef TabletOrders tablet_orders
    cdef uint64_t random_state

    cdef Route route_for(self, object keyspace)
    cdef Route new_route(self, object keyspace)
    cdef object tablet_for(self, tuple table, list known, int64_t token)
    cdef ReplicaOrder order_for(self, object keyspace, object query, bytes key)


cdef class TokenPlan:
    cdef TokenAwareCore policy
    cdef object working_keyspace, keyspace, query
    cdef HostTable table
    cdef ReplicaOrder order
    cdef tuple hosts
    cdef object tail
    cdef HostPlan others
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
