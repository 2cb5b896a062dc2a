# SPDX-License-Identifier: Apache-2.0
"""How many requests of this process a host has yet to answer, as the driver's own connections count them."""


cdef class PoolsInFlight:
    cdef object cluster           # gives the cluster; None once nobody else has it
    cdef dict known               # a HostPools for each host that was asked about, by its id
    cdef Py_ssize_t most_known    # how many there may be before those that are listed no more are dropped

    cdef Py_ssize_t of(self, host) except? -2
    cdef HostPools look(self, host)
    cdef int forget(self, all_hosts) except -1


cdef class HostPools:
    cdef object host
    cdef tuple pools
    cdef int questions
