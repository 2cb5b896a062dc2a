# SPDX-License-Identifier: Apache-2.0
"""The plan over a host table: each segment rotated, nearest first, bound when it is reached."""

from isotherm_driver.host_table cimport HostTable


cdef class TableHolder:
    cdef public object _hosts_lock
    cdef public Py_ssize_t _position
    cdef HostTable table


cdef class HostPlan:
    cdef TableHolder holder
    cdef tuple hosts
    cdef object excluded
    cdef Py_ssize_t index, left, position
    cdef int segment

    cdef bint bind_next(self) except -1


cdef HostPlan plan_of(TableHolder holder)
cdef Py_ssize_t rotation(Py_ssize_t position, Py_ssize_t length) noexcept
