# SPDX-License-Identifier: Apache-2.0
"""Which partitions get so many of this process's requests that one host should not get them all."""

from libc.stdint cimport int64_t, uint32_t


cdef class HotPartitions:
    cdef double limit
    cdef Py_ssize_t window, slots, seen
    cdef int64_t* tokens
    cdef uint32_t* counts

    cpdef bint is_hot(self, int64_t token) except -1
    cdef bint was_hot(self, int64_t token) noexcept
