# SPDX-License-Identifier: Apache-2.0
"""A plan without the hosts that a container holds."""

cimport cython


@cython.final
cdef class ExcludingPlan:
    """An iterator over a plan's hosts that are not excluded."""

    cdef object plan, excluded

    def __init__(self, plan, excluded):
        self.plan = iter(plan)
        self.excluded = excluded

    def __iter__(self):
        return self

    def __next__(self):
        for host in self.plan:
            if host not in self.excluded:
                return host
        raise StopIteration
