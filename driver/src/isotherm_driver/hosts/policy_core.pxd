# SPDX-License-Identifier: Apache-2.0
"""What every policy of this package has."""


cdef class PolicyCore:
    cdef public object _hosts_lock
    cdef bint binds_late       # whether its plans look for nobody before their first `next`
