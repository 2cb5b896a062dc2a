# SPDX-License-Identifier: Apache-2.0
"""Another policy's plan without the hosts that a predicate rejects."""

cimport cython

from isotherm_driver.hosts.policy_core cimport PolicyCore


@cython.final
@cython.freelist(16)
cdef class FilteredPlan:
    """The child's plan without the hosts the predicate rejects; both are asked for at the first `next`."""

    cdef object policy, working_keyspace, query, child_plan, predicate

    def __iter__(self):
        return self

    def __next__(self):
        if self.child_plan is None:
            policy = self.policy
            predicate = policy.predicate
            child_plan = iter(policy._child_policy.make_query_plan(
                working_keyspace=self.working_keyspace, query=self.query))
            if self.child_plan is None:  # unless another thread has begun it meanwhile
                self.predicate, self.child_plan = predicate, child_plan
        for host in self.child_plan:
            if self.predicate(host):
                return host
        raise StopIteration


cdef class HostFilterCore(PolicyCore):
    """A child policy whose hosts a predicate may reject."""

    cdef public object _child_policy

    cdef int give(self, PolicyCore other) except -1:
        (<HostFilterCore> other)._child_policy = self._child_policy
        return 0

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the hosts of the child's plan that the predicate accepts."""
        cdef FilteredPlan plan = FilteredPlan.__new__(FilteredPlan)
        plan.policy = self
        plan.working_keyspace = working_keyspace
        plan.query = query
        return plan
