# SPDX-License-Identifier: Apache-2.0
"""Hosts by location: dictionaries of tuples that are never changed, only replaced."""


cdef bint is_taken(dict buckets, host) except -1
cdef dict unlisted(dict buckets, host)
cdef dict listed(dict buckets, key, host)
cdef dict grouped(hosts, key)
