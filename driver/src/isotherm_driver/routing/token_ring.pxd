# SPDX-License-Identifier: Apache-2.0
"""Where a token falls on the ring."""

from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef class TokenRing:
    cdef int64_t* tokens
    cdef uint32_t* buckets
    cdef Py_ssize_t length
    cdef int shift

    cdef Py_ssize_t position(self, int64_t token) noexcept nogil
