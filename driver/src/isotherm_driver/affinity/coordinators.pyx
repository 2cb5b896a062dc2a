# SPDX-License-Identifier: Apache-2.0
"""The coordinators that serve a read themselves under affinity placement."""

from cassandra import ConsistencyLevel

from libc.stdint cimport int64_t, uint64_t

from isotherm_driver.affinity.shares cimport fill_equal_shares, fill_shares
from isotherm_driver.affinity.splitmix64 cimport point
from isotherm_driver.affinity.systematic_sampling cimport sample
from isotherm_driver.hosts.address import address_of
from isotherm_driver.hosts.liveness cimport may_be_up
from isotherm_driver.reports.node_reports cimport NodeReports
from isotherm_driver.routing.replica_order cimport MOST_REPLICAS, ReplicaOrder
from isotherm_driver.statements.facts cimport StatementFacts, table_of

cdef int ONE = ConsistencyLevel.ONE, LOCAL_ONE = ConsistencyLevel.LOCAL_ONE
cdef int TWO = ConsistencyLevel.TWO, THREE = ConsistencyLevel.THREE
cdef int QUORUM = ConsistencyLevel.QUORUM, LOCAL_QUORUM = ConsistencyLevel.LOCAL_QUORUM


cdef class ReadingCoordinators:
    """The replicas that any coordinator reads a partition from: one of them, as coordinator, reads from itself.

    `reports` tell the misses per read of a table on each host; without them, or where not all hosts of a partition
    published them, heat counts as equal. `consistency_level` is that of statements that state none.
    """

    def __init__(self, NodeReports reports, consistency_level):
        self.reports = reports
        self.consistency_level = consistency_level

    cdef uint64_t places(
            self, ReplicaOrder order, object keyspace, object query, StatementFacts facts, int64_t token) except? 1:
        """The places of these replicas in the order, a bit for each; 0 where all are as good."""
        cdef unsigned char places[MOST_REPLICAS]
        cdef double misses[MOST_REPLICAS]
        cdef double shares[MOST_REPLICAS]
        cdef int i, place, count = 0, contacted = self.contacted(query, order)
        cdef uint64_t drawn, result = 0
        cdef list hosts
        cdef bint known = False
        if contacted == 0:
            return 0
        if order.by_address is None:
            replicas = order.replicas
            order.by_address = bytes(sorted(range(order.local_end), key=lambda at: address_of(replicas[at])))
        hosts = []
        for place in <bytes> order.by_address:
            host = order.replicas[place]
            if may_be_up(host):
                places[count] = place
                hosts.append(host)
                count += 1
        if contacted >= count:
            return 0
        if self.reports is not None:
            table = table_of(query, facts)
            known = table is not None and self.reports.ratios(keyspace, table, hosts, misses)
        if known:
            fill_shares(misses, count, contacted, self.reports.miss_floor, shares)
        else:
            fill_equal_shares(count, shares)
        drawn = sample(point(token), shares, count, contacted)
        for i in range(count):
            if drawn >> i & 1:
                result |= <uint64_t> 1 << places[i]
        return result

    cdef int contacted(self, object query, ReplicaOrder order) except -1:
        """How many replicas a coordinator reads from; 0 for levels affinity does not concern."""
        level = query.consistency_level
        cdef int number
        if level is None:
            level = self.consistency_level
        number = level
        if number == ONE or number == LOCAL_ONE:
            return 1
        if number == LOCAL_QUORUM:
            return order.local_end // 2 + 1
        if number == QUORUM:
            return order.total // 2 + 1
        return 2 if number == TWO else 3 if number == THREE else 0
