# SPDX-License-Identifier: Apache-2.0
"""The token-aware plan: the replicas by distance, then the other hosts of the child's plan."""

cimport cython

from cassandra import policies as driver_policies

from isotherm_driver import installed_driver
from isotherm_driver.routing import fallback
from isotherm_driver.routing.drivers_way import drivers_plan, drivers_plan_of_odd, go_on_in_drivers_order

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from isotherm_driver.hosts.liveness cimport may_be_up
from isotherm_driver.hosts.offered cimport Offered
from isotherm_driver.hosts.plan cimport TableHolder, has_next, plan_of, rotation, taken
from isotherm_driver.hosts.table cimport REMOTE, HostTable
from isotherm_driver.routing.arranger cimport Arranger
from isotherm_driver.routing.murmur3 cimport token_of
from isotherm_driver.routing.replica_order cimport MOST_REPLICAS, ReplicaOrder
from isotherm_driver.routing.router cimport ANY_BUT_FIRST, TokenRouter
from isotherm_driver.routing.stable_order cimport may_shuffle
from isotherm_driver.routing.xorshift cimport below

cdef bint HAS_TABLETS = installed_driver.HAS_TABLETS
cdef dict DRIVER_NAMES = vars(driver_policies)
cdef object DRIVERS_SHUFFLE = driver_policies.__dict__.get("shuffle")
cdef unsigned char[MOST_REPLICAS] IN_ORDER
for _number in range(MOST_REPLICAS):
    IN_ORDER[_number] = _number


@cython.final
@cython.freelist(64)
cdef class TokenPlan:
    """An iterator over the replicas by distance, then the other hosts of the child's plan.

    The first `next` finds the replicas; whether a host may be up is asked when its turn comes; the other hosts are
    bound when the replicas are exhausted. When hosts come, go or move meanwhile, the fallback makes the rest of the
    plan from what is then the case, without the hosts offered before.

    Two threads may advance one plan, each after the other. Where they do so at the same time, the fallback's part of a
    plan raises ValueError, as a plan of the drivers does, being a generator.
    """

    def __iter__(self):
        return self

    def __next__(self):
        # A state's step gives a host, or moves on to another state and gives None.
        while True:
            if self.state == REPLICAS:
                host = self.next_replica()
            elif self.state == OTHERS_BY_DISTANCE:
                host = self.next_by_distance()
            elif self.state == OTHERS_OF_CHILD:
                host = self.next_of_child()
            elif self.state == UNBOUND:
                self.begin()
                continue
            elif self.state == LEADER:
                self.state = REPLICAS
                return self.order.replicas[self.led - 1]
            elif self.state == DELEGATED:
                return next(self.rest)
            else:
                raise StopIteration
            if host is not None:
                return host

    cdef int begin(self) except -1:
        """Find the replicas.

        What is found is kept at the end, at once, and by the first thread that comes so far: a thread that advances
        the plan while another one does goes on from there.
        """
        cdef TokenRouter policy = self.policy
        cdef object query = self.query
        cdef HostTable table
        cdef ReplicaOrder order
        cdef unsigned char places[MOST_REPLICAS]
        cdef int arrangement = AS_ON_THE_RING, leader = 0
        cdef bint is_located = False
        keyspace = None if query is None else query.keyspace
        if not keyspace:
            keyspace = self.working_keyspace
        self.keyspace = keyspace
        if policy.has_state_of_its_own:
            return self.begin_elsewhere(fallback.plan(policy, self.working_keyspace, query))
        key = None if query is None else query.routing_key
        if key is None or keyspace is None:
            return self.begin_elsewhere(policy.child.make_query_plan(keyspace, query))
        table = policy.listed()
        if (table is None or policy.metadata is None or type(key) is not bytes
                or type(keyspace) is not str or DRIVER_NAMES.get("shuffle") is not DRIVERS_SHUFFLE):
            return self.begin_elsewhere(fallback.plan(policy, self.working_keyspace, query))
        if policy.resting:
            policy.resting -= 1
            return self.begin_elsewhere(drivers_plan(policy, self.working_keyspace, query, None))
        try:
            order = policy.order_for(keyspace, query, <bytes> key)
            if order is not None:
                leader = policy.leader_of(order, keyspace, query) + 1
                if 0 < leader <= ANY_BUT_FIRST and not may_be_up(order.replicas[leader - 1]):
                    leader = 0
            if policy.next_rest:
                policy.next_rest = 0  # what had failed does so no more
                policy._told_of_the_drivers_way = False
            is_located = True
            if order is not None:
                if leader > ANY_BUT_FIRST or not leader and order.source is not None and self.take_turns():
                    order = None  # the fallback has the replicas take turns
                else:
                    arrangement = self.arranged(order, <bytes> key, places)
        except Exception as problem:
            if is_located:
                return self.begin_elsewhere(drivers_plan_of_odd(policy, self.working_keyspace, query, problem))
            policy.rest()
            return self.begin_elsewhere(drivers_plan(policy, self.working_keyspace, query, problem))
        if order is None:
            return self.begin_elsewhere(fallback.plan(policy, self.working_keyspace, query))
        if self.state == UNBOUND:
            self.table, self.order, self.led = table, order, leader
            self.arrangement = <Arrangement> arrangement
            if arrangement != AS_ON_THE_RING:
                memcpy(self.places, places, order.count)
            self.state = LEADER if leader else REPLICAS
        return 0

    cdef bint is_stable(self) except -1:
        """Whether the statement needs its hosts in an order that stays the same; it is asked once."""
        if self.stability == UNASKED:
            self.stability = SHUFFLABLE if may_shuffle(self.query) else STABLE
        return self.stability == STABLE

    cdef bint take_turns(self) except -1:
        """Whether a tablet's replicas come in the order of the child's plan, as they do where nobody orders them."""
        return not self.policy.shuffle_replicas and self.policy._arrange is None and not self.is_stable()

    cdef int begin_elsewhere(self, rest) except -1:
        """Leave the whole plan to another iterator, unless another thread has begun it meanwhile."""
        rest = iter(rest)
        return self.delegate(rest) if self.state == UNBOUND else 0

    cdef int arranged(self, ReplicaOrder order, bytes key, unsigned char* places) except -1:
        """Shuffle the replicas, or let the policy's own rule order them, unless their order has to be stable."""
        cdef TokenRouter policy = self.policy
        cdef bint shuffling = policy.shuffle_replicas
        cdef int64_t token
        rule = policy._arrange  # held: it may be replaced while it asks hosts
        if not (shuffling or rule is not None) or self.is_stable():
            return AS_ON_THE_RING
        memcpy(places, IN_ORDER, MOST_REPLICAS)
        if rule is not None and order.count > 1:
            token = token_of(<const unsigned char*> <char*> key, len(key))
            if isinstance(rule, Arranger):
                if (<Arranger> rule).arrange(order, self.keyspace, self.query, token, shuffling, places):
                    return ARRANGED
            else:
                given = rule(order, self.keyspace, self.query, token)
                if given is not None:
                    if not is_order(given, order.count):
                        raise ValueError("not an order of the replicas: %r" % (given,))
                    memcpy(places, <char*> <bytes> given, order.count)
                    return ARRANGED
        return SHUFFLED if shuffling else AS_ON_THE_RING

    cdef next_replica(self):
        cdef ReplicaOrder order = self.order
        cdef Py_ssize_t at, end, drawn
        cdef unsigned char place
        while self.index < order.count:
            if self.policy.listed() is not self.table:
                self.delegate(fallback.after_change(
                    self.policy, self.keyspace, self.query, self.undrawn(), order.replicas))
                return None
            at = self.index
            self.index += 1
            if self.arrangement == SHUFFLED:
                end = order.rack_end if at < order.rack_end else order.local_end if at < order.local_end else order.count
                if end - at > 1:
                    drawn = at + below(&self.policy.random_state, <unsigned int> (end - at))
                    place = self.places[drawn]
                    self.places[drawn] = self.places[at]
                    self.places[at] = place
            if self.arrangement != AS_ON_THE_RING:
                at = self.places[at]
            if at + 1 == self.led:
                continue  # it has come first
            host = order.replicas[at]
            if may_be_up(host):
                return host
        self.begin_others()
        return None

    cdef list undrawn(self):
        """The replicas whose turn has not come yet, in a possible order."""
        cdef Py_ssize_t i
        places = [i if self.arrangement == AS_ON_THE_RING else self.places[i] for i in range(self.index, self.order.count)]
        return [self.order.replicas[place] for place in places if place + 1 != self.led]

    cdef int begin_others(self) except -1:
        """Go on to the other hosts, in the installed driver's order.

        Remote ones take turns, but not for a lightweight transaction, lest coordinators contend.
        """
        cdef TableHolder holder = self.policy.holder
        cdef bint is_stable = False
        try:
            is_stable = holder is not None and holder.table.count > REMOTE and self.is_stable()
        except Exception as problem:
            go_on_in_drivers_order(self.policy, problem)
        if self.state != REPLICAS:  # another thread has gone on while the statement answered
            return 0
        if holder is None or HAS_TABLETS and holder.table is not self.table:
            self.delegate(fallback.after_change(self.policy, self.keyspace, self.query, [], self.order.replicas))
        elif not HAS_TABLETS:
            self.others = plan_of(holder)
            self.others.is_stable = is_stable
            self.state = OTHERS_OF_CHILD
        else:
            self.position = holder._position
            self.remote_position = 0 if is_stable else self.position
            holder._position += 1
            self.state = OTHERS_BY_DISTANCE
        return 0

    cdef next_by_distance(self):
        while True:
            if self.policy.listed() is not self.table:
                self.delegate(fallback.by_distance(self.policy.child, self.unreached(), Offered()))
                return None
            if self.left == 0 and not self.bind_segment():
                self.state = EXHAUSTED
                return None
            host = self.hosts[self.index]
            self.index += 1
            self.left -= 1
            if self.index == len(self.hosts):
                self.index = 0
            if not self.is_replica(host) and may_be_up(host):
                return host

    cdef bint bind_segment(self) except -1:
        """Bind the next segment of the table that has a host; False when there is none."""
        cdef Py_ssize_t position
        while self.segment < self.table.count:
            self.hosts = self.table.segment(self.segment)
            position = self.position if self.segment < REMOTE else self.remote_position
            self.segment += 1
            self.left = len(self.hosts)
            if self.left:
                self.index = rotation(position, self.left)
                return True
        return False

    cdef list unreached(self):
        """The other hosts whose turn has not come yet."""
        cdef int segment
        cdef list rest = list(self.hosts[self.index:] + self.hosts[:self.index])[:self.left] if self.left else []
        for segment in range(self.segment, self.table.count):
            rest += self.table.segment(segment)
        return [host for host in rest if host not in self.order.listed]

    cdef next_of_child(self):
        cdef Offered offered
        while has_next(self.others):
            host = taken(self.others)
            if self.is_replica(host):
                continue
            if self.others.table is not self.table:
                # Hosts have come, gone or moved: a replica may be listed under another object than it was.
                if self.offered is None:
                    self.offered = Offered(self.order.replicas + self.order.listed)
                offered = self.offered  # held: another thread may end the plan while the host is compared
                if offered.holds(host):
                    continue
            return host
        self.state = EXHAUSTED
        return None

    cdef bint is_replica(self, host) except -1:
        """Whether the host is one of the replicas, as the object under which the child lists it."""
        cdef tuple listed = self.order.listed
        cdef Py_ssize_t i
        for i in range(len(listed)):
            if listed[i] is host:
                return True
        return False

    cdef int delegate(self, rest) except -1:
        """Leave what remains to another iterator."""
        self.rest = iter(rest)
        self.state = DELEGATED
        return 0


cdef bint is_order(bytes places, int count) except -1:
    """Whether each of the numbers below `count` is there once."""
    cdef uint64_t seen = 0
    cdef unsigned char place
    if len(places) != count:
        return False
    for place in places:
        if place >= count:
            return False
        seen |= <uint64_t> 1 << place
    return seen == (<uint64_t> 1 << count) - 1
