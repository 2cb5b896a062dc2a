# SPDX-License-Identifier: Apache-2.0
"""The plan over a host table: each segment rotated, nearest first, bound when it is reached."""

cimport cython
from cpython.object cimport PyObject

from isotherm_driver.host_table cimport HostTable

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

    Within a segment `next` is one comparison. The pointers go into `table`, which this keeps alive.
    """

    def __iter__(self):
        return self

    def __next__(self):
        cdef PyObject** at = self.at
        if at == self.stop:
            if not self.bind_next():
                raise StopIteration
            at = self.at
        self.at = at + 1
        return <object> at[0]

    cdef bint bind_next(self) except -1:
        """Bind the next segment that has a host; False when there is none."""
        cdef TableHolder holder = self.holder
        cdef Py_ssize_t length
        if self.segment == 0:
            self.position = holder._position
            holder._position += 1
        if self.table is not holder.table:
            self.table = holder.table
        while self.segment < 3:
            length = self.table.lengths[self.segment]
            if length:
                self.at = self.table.items[self.segment] + rotation(self.position, length)
                self.stop = self.at + length
                self.segment += 1
                return True
            self.segment += 1
        return False


cdef HostPlan plan_of(TableHolder holder):
    cdef HostPlan plan = HostPlan.__new__(HostPlan)
    plan.holder = holder
    return plan
