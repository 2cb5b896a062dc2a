# SPDX-License-Identifier: Apache-2.0
"""Which hosts a plan offers, by distance: one immutable object per state of the topology."""


from cpython.object cimport PyObject


cdef extern from *:
    """
    #define isotherm_items(t) (((PyTupleObject *) (t))->ob_item)
    """
    PyObject** isotherm_items(object hosts) noexcept


cdef enum Locality:
    ALL_LOCAL       # every host is local: round robin
    BY_DATACENTER   # the local datacenter is local
    BY_RACK         # the local rack of the local datacenter is nearest


cdef enum:
    REMOTE = 2      # the segment of the first remote datacenter that is in use


cdef struct Segment:
    PyObject** items               # the hosts twice over: any rotation is one run
    Py_ssize_t length


cdef class HostTable:
    cdef readonly tuple rack, local
    cdef readonly tuple remotes    # the hosts in use, by datacenter
    cdef readonly dict datacenters
    cdef Segment* segments
    cdef int count                 # of the segments
    cdef tuple doubled             # what the segments point into
    cdef readonly object local_dc, local_rack, used_hosts_per_remote_dc
    cdef Locality locality
    cdef object in_use             # the slice of a remote datacenter's hosts; it takes any number, however large
    cdef object own_dc, own_rack   # where a subclass has a host to be, in its own opinion; else None

    cdef tuple segment(self, int number)
    cdef tuple hosts(self)
    cdef distance(self, host)
    cdef datacenter_of(self, host)
    cdef rack_of(self, host)
    cdef int nearness(self, host) except -2


cdef Py_ssize_t find(tuple hosts, host) except -2
