# SPDX-License-Identifier: Apache-2.0
"""The policies that list hosts themselves: their tables, and the events that change them."""

from isotherm_driver.hosts.plan cimport TableHolder
from isotherm_driver.hosts.table cimport HostTable, Locality


cdef class HostLister(TableHolder):
    cdef dict by_datacenter, by_rack
    cdef object local_dc_, local_rack_, used_
    cdef Locality locality
    cdef object changing       # held while a table is made and swapped; inside `_hosts_lock` where both are
    cdef tuple coming          # hosts that are being added
    cdef object metadata       # a weak reference to the cluster's; None where there is none
    cdef object drivers_way    # the driver's policy whose methods plan, for a subclass with state of its own; else None

    cdef HostTable table_of(self, dict by_datacenter, dict by_rack)
    cdef int swap(self) except -1
    cdef int relist(self, dict by_datacenter, dict by_rack) except -1
    cdef place_of(self, host)
    cdef bint knows(self, host) except -1
    cdef int list_host(self, host, bint is_new) except -1
    cdef int unlist_host(self, host) except -1
