# SPDX-License-Identifier: Apache-2.0
"""Another policy's plan after the host that a query names."""

cimport cython

from isotherm_driver.hosts.policy_core cimport PolicyCore
from isotherm_driver.installed_driver import Metadata

cdef enum State:
    UNBOUND  # nobody has been looked for
    TARGET   # the target has been given, the child has not been asked
    OTHERS   # the child's plan


@cython.final
@cython.freelist(16)
cdef class TargetedPlan:
    """The host the query names, if it is up, then the child's plan without it."""

    cdef object policy, keyspace, query, target, child_plan
    cdef State state

    def __iter__(self):
        return self

    def __next__(self):
        if self.state == UNBOUND:
            self.find_target()
            if self.state == UNBOUND and self.target is not None:
                self.state = TARGET
                return self.target
        if self.state != OTHERS:
            child_plan = iter(self.policy._child_policy.make_query_plan(self.keyspace, self.query))
            if self.state != OTHERS:  # unless another thread has asked it meanwhile
                self.child_plan, self.state = child_plan, OTHERS
        if self.target is None:
            return next(self.child_plan)
        for host in self.child_plan:
            if host != self.target:
                return host
        raise StopIteration

    cdef int find_target(self) except -1:
        """Find the host that the query names, which is None where it is down or unknown or there is no name."""
        query = self.query
        address = getattr(query, "target_host", None) if query else None
        metadata = self.policy._cluster_metadata
        self.keyspace = (query.keyspace if query else None) or self.keyspace
        # Before populate() there is no metadata; the real one has no host for no address.
        if metadata is not None and (address is not None or type(metadata) is not Metadata):
            target = metadata.get_host(address)
            self.target = target if target is not None and target.is_up else None
        return 0


cdef class TargetCore(PolicyCore):
    """A child policy before whose hosts the query may name one."""

    cdef public object _child_policy, _cluster_metadata

    cdef int give(self, PolicyCore other) except -1:
        cdef TargetCore target = <TargetCore> other
        target._child_policy, target._cluster_metadata = self._child_policy, self._cluster_metadata
        return 0

    def make_query_plan(self, working_keyspace=None, query=None):
        """An iterator over the host the query names, then those of the child's plan."""
        cdef TargetedPlan plan
        child = self._child_policy
        if (query is not None and type(self._cluster_metadata) is Metadata and isinstance(child, PolicyCore)
                and (<PolicyCore> child).binds_late and getattr(query, "target_host", None) is None):
            # Nobody is named: the child's plan is the plan.
            return iter(child.make_query_plan((query.keyspace if query else None) or working_keyspace, query))
        plan = TargetedPlan.__new__(TargetedPlan)
        plan.policy = self
        plan.keyspace = working_keyspace
        plan.query = query
        return plan
