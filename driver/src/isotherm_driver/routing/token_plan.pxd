# SPDX-License-Identifier: Apache-2.0
"""The token-aware plan: the replicas by distance, then the other hosts of the child's plan."""

from isotherm_driver.hosts.offered cimport Offered
from isotherm_driver.hosts.plan cimport HostPlan
from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.replica_order cimport MOST_REPLICAS, ReplicaOrder
from isotherm_driver.routing.router cimport TokenRouter

cdef enum State:
    UNBOUND             # nobody has been looked for; then LEADER or REPLICAS, or DELEGATED where the fallback has to plan
    LEADER              # the replica that leads the tablet; then REPLICAS
    REPLICAS            # the replicas, by distance; then the others of the installed driver's order
    OTHERS_BY_DISTANCE  # scylla-driver: the table's other hosts, by distance; then EXHAUSTED
    OTHERS_OF_CHILD     # cassandra-driver: the child's plan without the replicas; then EXHAUSTED
    DELEGATED           # the rest is another iterator's: the child's, or the fallback's since hosts came, went or moved
    EXHAUSTED           # nobody is left

cdef enum Arrangement:
    AS_ON_THE_RING  # the order of the ring within a distance
    SHUFFLED        # drawn one by one, within a distance
    ARRANGED        # as the policy's own rule has it


cdef enum Stability:
    UNASKED
    STABLE
    SHUFFLABLE


cdef class TokenPlan:
    cdef TokenRouter policy
    cdef object working_keyspace, keyspace, query
    cdef HostTable table           # what was listed when the replicas were found
    cdef ReplicaOrder order
    cdef State state
    cdef Arrangement arrangement
    cdef Stability stability       # of the order that the statement needs
    cdef unsigned char places[MOST_REPLICAS]  # the replicas' places in the order of offering, unless as on the ring
    cdef int led                   # the leader's place among the replicas, counted from 1; 0 where none leads
    cdef Py_ssize_t index          # of the next replica; then of the next host of the segment
    cdef Py_ssize_t position, remote_position # of the rotation
    cdef Py_ssize_t left           # hosts of the segment whose turn has not come yet
    cdef int segment               # the next one
    cdef tuple hosts               # the present segment
    cdef HostPlan others           # the child's plan
    cdef Offered offered           # the replicas, once the child's plan comes from another table than they did
    cdef object rest               # the iterator this has delegated to

    cdef int begin(self) except -1
    cdef bint is_stable(self) except -1
    cdef bint take_turns(self) except -1
    cdef int begin_elsewhere(self, rest) except -1
    cdef int arranged(self, ReplicaOrder order, bytes key, unsigned char* places) except -1
    cdef next_replica(self)
    cdef list undrawn(self)
    cdef int begin_others(self) except -1
    cdef next_by_distance(self)
    cdef bint bind_segment(self) except -1
    cdef list unreached(self)
    cdef next_of_child(self)
    cdef bint is_replica(self, host) except -1
    cdef int delegate(self, rest) except -1
