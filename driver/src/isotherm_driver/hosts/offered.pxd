# SPDX-License-Identifier: Apache-2.0
"""The hosts a plan has offered so far, where it has to remember them."""


cdef class Offered:
    cdef dict by_id
    cdef set hosts

    cdef bint holds(self, host) except -1
    cdef int note(self, host) except -1
