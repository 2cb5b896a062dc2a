# SPDX-License-Identifier: Apache-2.0
"""The native half of the queue-aware policy: busy replicas later, the replica that serves the read itself first."""

import logging

from libc.stdint cimport int64_t, uint64_t

from isotherm_driver.affinity.coordinators cimport ReadingCoordinators
from isotherm_driver.affinity.hot_partitions cimport HotPartitions
from isotherm_driver.busy.order cimport BusyOrder
from isotherm_driver.routing.arranger cimport Arranger
from isotherm_driver.routing.murmur3 cimport token_of
from isotherm_driver.routing.replica_order cimport ReplicaOrder
from isotherm_driver.routing.router cimport TokenRouter
from isotherm_driver.statements.facts cimport StatementFacts, facts_of

log = logging.getLogger("isotherm_driver.queue_aware")


cdef class QueueAwareOrder(Arranger):
    """Where a rule throws, the order of the token-aware policy remains; `failures` counts these plans."""

    cdef BusyOrder busy
    cdef ReadingCoordinators coordinators  # None without affinity
    cdef HotPartitions hot
    cdef readonly unsigned long failures

    def __init__(self, BusyOrder busy, ReadingCoordinators coordinators, HotPartitions hot, failures=0):
        self.busy = busy
        self.coordinators = coordinators
        self.hot = hot
        self.failures = failures

    cdef bint arrange(self, ReplicaOrder order, object keyspace, object query, int64_t token, bint shuffling,
                      unsigned char* places) except -1:
        cdef uint64_t leading = 0
        cdef StatementFacts facts
        try:
            facts = self.facts_of_steered(order, query)
            if facts is not None:
                if self.hot.is_hot(token):
                    shuffling = True  # where replicas keep their order, too: the first one would get all of it
                else:
                    leading = self.coordinators.places(order, keyspace, query, facts, token)
            self.busy.fill(order, leading, shuffling, places)
            return True
        except Exception as cause:
            self.failures += 1
            if self.failures & (self.failures - 1) == 0:  # the 1st, 2nd, 4th, 8th ...
                log.warning("Ordering replicas failed %d times, at last by %r; the plans went on as without it",
                            self.failures, cause, exc_info=cause)
            return False

    cdef StatementFacts facts_of_steered(self, ReplicaOrder order, object query):
        """The facts of a query some of whose replicas lead unless its partition is hot; None where all are as good."""
        cdef StatementFacts facts
        if self.coordinators is None or order.local_end < 2:
            return None
        facts = facts_of(query)
        return facts if facts.is_select else None

    def reading_coordinators(self, TokenRouter policy, keyspace, query):
        """The replicas that read the partition of a query themselves; none where that is no reason to prefer one."""
        cdef ReplicaOrder order
        cdef StatementFacts facts
        cdef uint64_t leading
        cdef int64_t token
        if query is None or type(query.routing_key) is not bytes or policy.holder is None or policy.metadata is None:
            return ()
        key = query.routing_key
        order = policy.order_for(keyspace, query, <bytes> key)
        token = token_of(<const unsigned char*> <char*> key, len(<bytes> key))
        facts = None if order is None else self.facts_of_steered(order, query)
        if facts is None or self.hot.was_hot(token):
            return ()
        leading = self.coordinators.places(order, keyspace, query, facts, token)
        return tuple([order.replicas[place] for place in range(order.local_end) if leading >> place & 1])

    def busy_reasons(self, host, later):
        """In words, what waits for a host; and that it comes later, if such hosts do and that is why."""
        return self.busy.reasons(host, later)
