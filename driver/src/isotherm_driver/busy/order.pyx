# SPDX-License-Identifier: Apache-2.0
"""The soft-limit rule: who is below the limit keeps its place, who is above comes later, the least busy first."""

from isotherm_driver.new_process import begin_anew_in_children

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from isotherm_driver.busy.in_flight cimport PoolsInFlight
from isotherm_driver.reports.node_reports cimport NodeReports
from isotherm_driver.routing.replica_order cimport MOST_REPLICAS, ReplicaOrder
from isotherm_driver.routing.xorshift cimport below


cdef class BusyOrder:
    """Orders the replicas of one partition by how busy they are.

    `in_flight` tells a host's own requests in flight, None where unknown, and `reports` the queue depth it published;
    unknown counts as idle. Remote replicas are not asked about: they are the last resort, and most plans end long
    before.
    """

    def __init__(self, in_flight, NodeReports reports, soft_limit, node_soft_limit, seed):
        self.in_flight = in_flight
        self.pools = in_flight if type(in_flight) is PoolsInFlight else None
        self.reports = reports
        self.soft_limit = soft_limit
        self.node_soft_limit = node_soft_limit
        self.state = seed | 1
        begin_anew_in_children(self)

    def _begin_anew(self, seed):
        self.state = seed | 1

    cdef double excess(self, host, bint depths) except -1:
        """How busy a host is beyond its limits, 0 where it is below: 1 at a limit, 2 at twice that."""
        cdef double excess = 0, part
        if self.pools is not None:
            part = self.pools.of(host) / self.soft_limit
        else:
            own = self.in_flight(host)
            part = 0 if own is None else own / self.soft_limit
        if part >= 1:
            excess = part
        if depths:
            part = self.reports.depth(host) / self.node_soft_limit
            if part >= 1 and part > excess:
                excess = part
        return excess

    def reasons(self, host, later):
        """In words, what waits for a host; and, if plans put busy hosts later, whether that makes it busy."""
        cdef bint depths = self.reports is not None and self.reports.has_depths()
        own, found = self.in_flight(host), []
        if own is not None:
            found.append(f"{own} requests in flight")
        if depths and self.reports.depth(host) >= 0:
            found.append(f"a published queue of {self.reports.depth(host):g}")
        if later and self.excess(host, depths) > 0:
            found.append("busy, so later")
        return found

    cdef int shuffle(self, unsigned char* places, int begin, int end) noexcept:
        cdef int i, j
        for i in range(begin, end - 1):
            j = i + below(&self.state, end - i)
            places[i], places[j] = places[j], places[i]
        return 0

    cdef int fill(self, ReplicaOrder order, uint64_t first, bint shuffling, unsigned char* places) except -1:
        """Write the places of the replicas in the order they are offered in.

        Those whose bits are set in `first` lead, as far as they are not busy; `shuffling` shuffles what is equal.
        """
        cdef unsigned char given[MOST_REPLICAS]
        cdef unsigned char result[MOST_REPLICAS]
        cdef double excess[MOST_REPLICAS]
        cdef int i, j, kept = 0, near = order.local_end
        cdef bint busy = False, depths = self.reports is not None and self.reports.has_depths()
        for i in range(order.count):
            given[i] = i
            excess[i] = self.excess(order.replicas[i], depths) if i < near else 0
            busy = busy or excess[i] > 0
        if shuffling:
            self.shuffle(given, 0, order.rack_end)
            self.shuffle(given, order.rack_end, near)
            self.shuffle(given, near, order.count)
        if first:
            for i in range(near):
                if first >> given[i] & 1:
                    result[kept] = given[i]
                    kept += 1
            for i in range(near):
                if not first >> given[i] & 1:
                    result[kept] = given[i]
                    kept += 1
            for i in range(near):
                given[i] = result[i]
        if busy:
            kept = 0
            for i in range(near):
                if excess[given[i]] == 0:
                    result[kept] = given[i]
                    kept += 1
            for i in range(near):
                if excess[given[i]] > 0:
                    j = kept  # into its place among the busy ones, behind its equals
                    while j > 0 and excess[result[j - 1]] > excess[given[i]]:
                        result[j] = result[j - 1]
                        j -= 1
                    result[j] = given[i]
                    kept += 1
            for i in range(near):
                given[i] = result[i]
        memcpy(places, given, order.count)
        return 0
