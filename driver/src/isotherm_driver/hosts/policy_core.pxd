# SPDX-License-Identifier: Apache-2.0
"""What every policy of this package has."""


cdef class PolicyCore:
    cdef object __weakref__
    cdef public object _hosts_lock
    cdef bint binds_late       # whether its plans look for nobody before their first `next`

    cdef int give(self, PolicyCore other) except -1


cdef object lock_like(lock)
