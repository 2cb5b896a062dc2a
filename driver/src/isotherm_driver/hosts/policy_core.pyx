# SPDX-License-Identifier: Apache-2.0
"""What every policy of this package has."""

from threading import Lock

from isotherm_driver.hosts.excluding import ExcludingPlan


cdef class PolicyCore:
    """The drivers' lock, and plans without some hosts."""

    def __cinit__(self, *args, **kwargs):
        self._hosts_lock = Lock()

    def make_query_plan_with_exclusion(self, working_keyspace=None, query=None, excluded=()):
        """As make_query_plan, without the hosts that `excluded` contains."""
        return ExcludingPlan(self.make_query_plan(working_keyspace, query), excluded)
