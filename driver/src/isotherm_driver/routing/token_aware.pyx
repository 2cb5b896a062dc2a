# SPDX-License-Identifier: Apache-2.0
"""The native half of the token-aware policy."""

from isotherm_driver.routing.token_plan cimport TokenPlan
from isotherm_driver.routing.router cimport TokenRouter


cdef class TokenAwareCore(TokenRouter):
    """Makes plans that find their replicas at the first `next`."""

    def __cinit__(self, *args, **kwargs):
        self.binds_late = True

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the replicas of the query's partition, then the child's other hosts."""
        cdef TokenPlan plan = TokenPlan.__new__(TokenPlan)
        plan.policy = self
        plan.working_keyspace = working_keyspace
        plan.query = query
        return plan
