# SPDX-License-Identifier: Apache-2.0
"""The plan over a host table: each segment rotated, nearest first, bound when it is reached."""

from cpython.object cimport PyObject

from isotherm_driver.hosts.table cimport HostTable
from isotherm_driver.hosts.offered cimport Offered
from isotherm_driver.hosts.policy_core cimport PolicyCore


cdef class TableHolder(PolicyCore):
    cdef public Py_ssize_t _position
    cdef HostTable table


cdef class HostPlan:
    cdef TableHolder holder
    cdef HostTable table
    cdef PyObject** at         # the next host
    cdef PyObject** stop       # the end of the segment
    cdef Py_ssize_t position
    cdef bint is_stable        # whether remote hosts come as they are listed
    cdef int segment
    cdef Offered offered       # None until the table changes under the plan
    cdef tuple rest            # the hosts of the segment that were not offered before, once it has

    cdef bint bind_next(self) except -1
    cdef int remember(self, HostTable table) except -1
    cdef bint bind_rest(self, tuple hosts) except -1


cdef HostPlan plan_of(TableHolder holder)


cdef inline bint has_next(HostPlan plan) except -1:
    """Whether a host is left, after binding the next segment where the present one is exhausted."""
    return plan.at != plan.stop or plan.bind_next()


cdef inline taken(HostPlan plan):
    """The next host, where has_next has said that there is one."""
    cdef PyObject** at = plan.at
    plan.at = at + 1
    return <object> at[0]


cdef inline Py_ssize_t rotation(Py_ssize_t position, Py_ssize_t length) noexcept:
    """`position` modulo `length`, never negative, as Python has it."""
    if 0 <= position < length:
        return position
    cdef Py_ssize_t at = position % length
    return at + length if at < 0 else at
