# SPDX-License-Identifier: Apache-2.0
"""Plans of the installed driver's own token-aware policy, where its metadata or a statement are not as known."""

import logging

from cassandra import policies as driver

from isotherm_driver.routing.router cimport TokenRouter

log = logging.getLogger("isotherm_driver.policies")


cdef inline bint is_logged(unsigned long times) noexcept:
    """Whether the log tells of what has happened so often: the 1st, 2nd, 4th, 8th ... time."""
    return times & (times - 1) == 0


def drivers_plan(TokenRouter policy, working_keyspace, query, problem):
    """The plan that the driver's own policy makes of this one's child and metadata.

    The first problem of an outage is logged. Where one keyspace fails and another one does not, each request may begin
    an outage, hence ever fewer lines.
    """
    policy.by_driver += 1
    if problem is not None and not policy._told_of_the_drivers_way:
        policy._told_of_the_drivers_way = True
        policy.outages += 1
        if is_logged(policy.outages):
            log.warning("The metadata of the installed driver is not as known (%s: %s): its own policy makes the plans",
                        type(problem).__name__, problem)
    return driver.TokenAwarePolicy.make_query_plan(policy, working_keyspace, query)
