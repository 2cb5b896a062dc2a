# SPDX-License-Identifier: Apache-2.0
"""The token-aware plan: the replicas by distance, then the other hosts of the child's plan."""

cimport cython

from cassandra import policies as driver_policies

from isotherm_driver import installed_driver
from isotherm_driver.routing import fallback

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from isotherm_driver.hosts.liveness cimport may_be_up
from isotherm_driver.hosts.plan cimport HostPlan, TableHolder, plan_of, rotation
from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.routing.murmur3 cimport token_of
from isotherm_driver.hosts.offered cimport Offered
from isotherm_driver.routing.xorshift cimport below
from isotherm_driver.routing.replica_order cimport MOST_REPLICAS, ReplicaOrder
from isotherm_driver.routing.router cimport TokenRouter
from isotherm_driver.routing.stable_order cimport may_shuffle

cdef enum State:
    UNBOUND, REPLICAS, OTHERS, OTHERS_OF_CHILD, IN_PYTHON

cdef bint HAS_TABLETS = installed_driver.HAS_TABLETS
cdef dict DRIVER_NAMES = vars(driver_policies)
cdef object DRIVERS_SHUFFLE = driver_policies.shuffle
cdef unsigned char[MOST_REPLICAS] IN_ORDER
for _number in range(MOST_REPLICAS):
    IN_ORDER[_number] = _number


@cython.final
@cython.freelist(64)
cdef class TokenPlan:
    """An iterator over the replicas by distance, then the other hosts of the child's plan.

    The first `next` finds the replicas; whether a host may be up is asked when its turn comes; the other hosts are
    bound when the replicas are exhausted. When hosts come, go or move meanwhile, the rest of the plan is made the
    driver's way from what is then the case, without the hosts offered before.
    """

    def __iter__(self):
        return self

    def __next__(self):
        if self.state == UNBOUND:
            self.begin()
        if self.state == REPLICAS:
            host = self.next_replica()
            if host is not None:
                return host
        if self.state == OTHERS or self.state == OTHERS_OF_CHILD:
            host = self.next_other()
            if host is not None:
                return host
        if self.state == IN_PYTHON:
            return next(self.tail)
        raise StopIteration

    cdef int begin(self) except -1:
        cdef TokenRouter policy = self.policy
        cdef object query = self.query
        keyspace = None if query is None else query.keyspace
        if not keyspace:
            keyspace = self.working_keyspace
        self.keyspace = keyspace
        key = None if query is None else query.routing_key
        if key is None or keyspace is None:
            self.tail = iter(policy.child.make_query_plan(keyspace, query))
            self.state = IN_PYTHON
            return 0
        if (policy.holder is not None and policy.metadata is not None and type(key) is bytes
                and type(keyspace) is str and DRIVER_NAMES["shuffle"] is DRIVERS_SHUFFLE):
            self.table = policy.holder.table
            self.order = policy.order_for(keyspace, query, <bytes> key)
            if self.order is not None:
                self.state = REPLICAS
                if policy.shuffle_replicas:
                    self.shuffling = may_shuffle(query)
                    if self.shuffling:
                        memcpy(self.draw, IN_ORDER, MOST_REPLICAS)
                if policy._arrange is not None:
                    self.arrange(<bytes> key)
                return 0
        self.tail = fallback.plan(policy, self.working_keyspace, query)
        self.state = IN_PYTHON
        return 0

    cdef int arrange(self, bytes key) except -1:
        """Let the policy's own rule order the replicas, unless theirs has to be stable."""
        if self.order.count < 2 or not may_shuffle(self.query):
            return 0
        token = token_of(<const unsigned char*> <char*> key, len(key))
        places = self.policy._arrange(self.order, self.keyspace, self.query, token)
        if places is not None:
            if not is_order(places, self.order.count):
                raise ValueError("not an order of the replicas: %r" % (places,))
            memcpy(self.draw, <char*> <bytes> places, self.order.count)
            self.shuffling = False
            self.arranged = True
        return 0

    cdef next_replica(self):
        cdef ReplicaOrder order = self.order
        cdef Py_ssize_t at, end, drawn
        cdef unsigned char number
        while self.index < order.count:
            if self.policy.holder.table is not self.table:
                self.go_on_in_python(self.undrawn(), True)
                return None
            at = self.index
            self.index += 1
            if self.shuffling:
                end = order.rack_end if at < order.rack_end else order.local_end if at < order.local_end else order.count
                if end - at > 1:
                    drawn = at + below(&self.policy.random_state, <unsigned int> (end - at))
                    number = self.draw[drawn]
                    self.draw[drawn] = self.draw[at]
                    self.draw[at] = number
                at = self.draw[at]
            elif self.arranged:
                at = self.draw[at]
            host = order.replicas[at]
            if may_be_up(host):
                return host
        self.begin_others()
        return None

    def undrawn(self):
        """The replicas whose turn has not come yet, in a possible order."""
        cdef Py_ssize_t i
        return [self.order.replicas[self.draw[i] if self.shuffling or self.arranged else i]
                for i in range(self.index, self.order.count)]

    cdef int begin_others(self) except -1:
        cdef TableHolder holder = self.policy.holder
        if not HAS_TABLETS:
            self.others = plan_of(holder)
            self.state = OTHERS_OF_CHILD
        elif holder.table is not self.table:
            self.go_on_in_python([], True)
        else:
            self.position = holder._position
            holder._position += 1
            self.state = OTHERS
        return 0

    cdef next_other(self):
        cdef tuple listed = self.order.listed
        cdef Py_ssize_t i, count = len(listed)
        cdef bint replica
        while True:
            if self.state == OTHERS_OF_CHILD:
                host = next(self.others, None)
                if host is None:
                    return None
            else:
                if self.policy.holder.table is not self.table:
                    self.go_on_in_python(self.unreached(), False)
                    return None
                if self.left == 0:
                    if self.segment == 3:
                        return None
                    self.hosts = (self.table.rack if self.segment == 0 else
                                  self.table.local if self.segment == 1 else self.table.remote)
                    self.segment += 1
                    self.left = len(self.hosts)
                    if self.left:
                        self.index = rotation(self.position, self.left)
                    continue
                host = self.hosts[self.index]
                self.index += 1
                self.left -= 1
                if self.index == len(self.hosts):
                    self.index = 0
            replica = False
            for i in range(count):
                if listed[i] is host:
                    replica = True
                    break
            if not replica and self.state == OTHERS_OF_CHILD and self.others.table is not self.table:
                if self.offered is None:
                    self.offered = Offered(self.order.replicas + listed)
                replica = self.offered.holds(host)
            if not replica and (self.state == OTHERS_OF_CHILD or may_be_up(host)):
                return host

    def unreached(self):
        """The other hosts whose turn has not come yet."""
        segments = (self.table.rack, self.table.local, self.table.remote)
        rest = list(self.hosts[self.index:] + self.hosts[:self.index])[:self.left] if self.left else []
        for hosts in segments[self.segment:]:
            rest += hosts
        return [host for host in rest if host not in self.order.listed]

    cdef int go_on_in_python(self, remaining, bint replicas_left) except -1:
        self.state = IN_PYTHON
        if replicas_left:
            self.tail = fallback.after_change(self.policy, self.keyspace, self.query, remaining,
                                                 self.order.replicas)
        else:
            self.tail = fallback.by_distance(self.policy.child, remaining, Offered())
        return 0


cdef bint is_order(bytes places, int count) except -1:
    """Whether each of the numbers below `count` is there once."""
    cdef uint64_t seen = 0
    cdef unsigned char place
    if len(places) != count:
        return False
    for place in places:
        seen |= <uint64_t> 1 << (place & 63)
    return seen == (<uint64_t> 1 << count) - 1
