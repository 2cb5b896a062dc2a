# SPDX-License-Identifier: Apache-2.0
"""What every policy of this package has."""

from threading import Lock

from isotherm_driver.hosts.excluding import ExcludingPlan

cdef object LOCK = type(Lock())


cdef object lock_like(lock):
    """A new lock of the same kind: a subclass may have one of another kind; a plain one where that takes arguments."""
    kind = type(lock)
    if kind is LOCK:
        return Lock()
    try:
        return kind()
    except Exception:
        return Lock()


cdef class PolicyCore:
    """The drivers' lock, and plans without some hosts."""

    def __cinit__(self, *args, **kwargs):
        self._hosts_lock = Lock()

    def __copy__(self):
        """A policy with the same settings, hosts and child, which from now on goes its own way."""
        kind = type(self)
        other = kind.__new__(kind)
        other._hosts_lock = lock_like(self._hosts_lock)
        for name, value in getattr(self, "__dict__", {}).items():
            other.__dict__[name] = value
        self.give(other)
        return other

    cdef int give(self, PolicyCore other) except -1:
        """Hand what this has in C to a new policy of the same class."""
        return 0

    def make_query_plan_with_exclusion(self, working_keyspace=None, query=None, excluded=()):
        """As make_query_plan, without the hosts that `excluded` contains."""
        return ExcludingPlan(self.make_query_plan(working_keyspace, query), excluded)
