# SPDX-License-Identifier: Apache-2.0
"""How many requests of this process a host has yet to answer, as the driver's own connections count them."""


cdef class PoolsInFlight:
    cdef object cluster
    cdef dict known

    cdef Py_ssize_t of(self, host) except -2
    cdef HostPools look(self, host)


cdef class HostPools:
    cdef object host
    cdef tuple pools
    cdef int questions
