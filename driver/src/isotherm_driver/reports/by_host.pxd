# SPDX-License-Identifier: Apache-2.0
"""What was published by address, found by host."""


cdef class ByHost:
    cdef dict by_address, by_id
    cdef bint asked               # since somebody last looked whether it was

    cdef object of(self, host)
