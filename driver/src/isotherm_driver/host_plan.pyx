# SPDX-License-Identifier: Apache-2.0
"""The plan over a host table: each segment rotated, nearest first, bound when it is reached."""

cimport cython


cdef inline Py_ssize_t rotation(Py_ssize_t position, Py_ssize_t length) noexcept:
    """`position` modulo `length`, never negative, as Python has it."""
    cdef Py_ssize_t at = position % length
    return at + length if at < 0 else at


cdef class TableHolder:
    """What a plan needs of its policy: the present table and the position of the rotation.

    Increments of the position may be lost between threads; a rotation does not mind.
    """


@cython.final
@cython.freelist(64)
cdef class HostPlan:
    """An iterator over hosts, nearest segment first.

    The first `next` takes the position and binds the nearest segment; every further segment is taken from the
    table that is current when the one before it is exhausted. So a host that went down before its segment was
    reached is not offered, and one that goes down in the middle of its segment is left to the caller.
    """

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            while self.left == 0:
                if not self.bind_next():
                    raise StopIteration
            host = self.hosts[self.index]
            self.index += 1
            self.left -= 1
            if self.index == len(self.hosts):
                self.index = 0
            if self.excluded is None or host not in self.excluded:
                return host

    cdef bint bind_next(self) except -1:
        cdef TableHolder holder = self.holder
        cdef tuple hosts
        if self.segment == 0:
            self.position = holder._position
            holder._position += 1
            hosts = holder.table.rack
        elif self.segment == 1:
            hosts = holder.table.local
        elif self.segment == 2:
            hosts = holder.table.remote
        else:
            return False
        self.segment += 1
        self.hosts = hosts
        self.left = len(hosts)
        if self.left:
            self.index = rotation(self.position, self.left)
        return True


cdef HostPlan plan_of(TableHolder holder):
    cdef HostPlan plan = HostPlan.__new__(HostPlan)
    plan.holder = holder
    return plan
