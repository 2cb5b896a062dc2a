# SPDX-License-Identifier: Apache-2.0
"""Which hosts hold each range of the ring."""

from libc.stdint cimport uint32_t


cdef class ReplicaRing:
    cdef readonly object source
    cdef readonly tuple hosts
    cdef uint32_t* starts
    cdef uint32_t* members
    cdef Py_ssize_t length
