# SPDX-License-Identifier: Apache-2.0
"""From the routing key to replicas in order, without a line of Python."""

from libc.stdint cimport int64_t, uint64_t

from isotherm_driver.hosts.plan cimport TableHolder
from isotherm_driver.hosts.policy_core cimport PolicyCore
from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.replica_order cimport ReplicaOrder
from isotherm_driver.routing.route cimport Route
from isotherm_driver.routing.tablets cimport TabletOrders

cdef enum:
    ANY_BUT_FIRST = 1000


cdef class TokenRouter(PolicyCore):
    cdef object child, cluster_metadata
    cdef TableHolder holder      # the child, where it is one of this package's own that lists hosts; it may be replaced
    cdef dict metadata           # the real metadata's attributes, else None
    cdef public object shuffle_replicas, _prefer_tablet_leader
    cdef public object _arrange  # None, an Arranger, or a callable that gives the places as bytes
    cdef object routing          # held while a route is made, so that one thread does; no subclass has it
    cdef dict routes, tablet_indexes
    cdef TabletOrders tablet_orders
    cdef uint64_t random_state
    cdef public bint _told_of_the_drivers_way  # since plans succeeded last
    cdef unsigned long by_driver    # plans that the driver's own policy made, or that go on in its order
    cdef unsigned long odd_statements  # those that threw when they were asked for the order they need
    cdef unsigned long outages      # how often such plans began
    cdef bint has_state_of_its_own  # a subclass computes what is above, and is asked at each plan
    cdef unsigned int resting, next_rest  # plans that are the driver's before its metadata are looked at again

    cdef inline HostTable listed(self):
        """The hosts that the child lists now; None where it is not one of this package's own that lists hosts."""
        cdef TableHolder holder = self.holder
        return None if holder is None else holder.table

    cdef int rest(self) noexcept

    cdef Route route_for(self, object keyspace)
    cdef Route new_route(self, object keyspace)
    cdef object tablet_for(self, object by_table, object keyspace, object query, int64_t token)
    cdef ReplicaOrder order_by_tablet(self, object tablet, object by_table)
    cdef int leader_of(self, ReplicaOrder order, object keyspace, object query) except -2
    cdef ReplicaOrder order_for(self, object keyspace, object query, bytes key)
