# SPDX-License-Identifier: Apache-2.0
"""The plan over a host table: each segment rotated, nearest first, bound when it is reached."""

cimport cython

from isotherm_driver.hosts.table cimport REMOTE, HostTable, isotherm_items
from isotherm_driver.hosts.offered cimport Offered
from isotherm_driver.hosts.policy_core cimport PolicyCore

cdef class TableHolder(PolicyCore):
    """What a plan needs of its policy: the present table and the position of the rotation.

    Increments of the position may be lost between threads; a rotation does not mind.
    """


@cython.final
@cython.freelist(64)
cdef class HostPlan:
    """An iterator over hosts, nearest segment first.

    The first `next` takes the position and binds the nearest segment; every further segment is taken from the
    table that is current when the one before it is exhausted, and those of all remote datacenters from one table. So a
    host that went down before its segment was reached is not offered, and one that goes down in the middle of its
    segment, or of the remote ones, is left to the caller. One that was offered and has moved to a later segment is not
    offered again: from the first change on the plan remembers.

    Within a segment `next` is one comparison. The pointers go into `table` or `rest`, which this keeps alive.
    """

    def __iter__(self):
        return self

    def __next__(self):
        if not has_next(self):
            raise StopIteration
        return taken(self)

    cdef bint bind_next(self) except -1:
        """Bind the next segment that has a host; False when there is none."""
        cdef TableHolder holder = self.holder
        cdef HostTable table
        cdef Py_ssize_t length
        if self.segment == 0:
            self.position = holder._position
            holder._position += 1
        if self.table is not holder.table and self.segment <= REMOTE:
            table = holder.table
            if self.segment > 0 and self.offered is None:
                self.remember(table)
            self.table = table
        while self.segment < self.table.count:
            if self.segment == REMOTE and self.is_stable:
                self.position = 0
            length = self.table.segments[self.segment].length
            if length and self.offered is not None:
                self.segment += 1
                if self.bind_rest(self.table.segment(self.segment - 1)):
                    return True
                continue
            if length:
                self.at = self.table.segments[self.segment].items + rotation(self.position, length)
                self.stop = self.at + length
                self.segment += 1
                return True
            self.segment += 1
        self.segment = max(self.segment, REMOTE + 1)  # whatever comes now is not offered
        return False

    cdef int remember(self, HostTable table) except -1:
        """Note who has been offered, where this other table, under which the plan goes on, has any more hosts."""
        if table.count > REMOTE or self.segment == 1 and table.segments[1].length > 0:
            self.offered = Offered(self.table.segment(0) if self.segment == 1 else
                                   self.table.segment(0) + self.table.segment(1))
        return 0

    cdef bint bind_rest(self, tuple hosts) except -1:
        """Bind those of a segment's hosts that were not offered before; False when there is none."""
        cdef Py_ssize_t start = rotation(self.position, len(hosts))
        self.rest = tuple([host for host in hosts[start:] + hosts[:start] if self.offered.is_new(host)])
        self.at = isotherm_items(self.rest)
        self.stop = self.at + len(self.rest)
        return len(self.rest) > 0


cdef HostPlan plan_of(TableHolder holder):
    cdef HostPlan plan = HostPlan.__new__(HostPlan)
    plan.holder = holder
    return plan
