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
                        type(problem).__name__, problem, exc_info=problem)
    return driver.TokenAwarePolicy.make_query_plan(policy, working_keyspace, query)


cdef int tell_of_odd_statement(TokenRouter policy, problem) except -1:
    """Log what a statement threw, or a policy's rule, that was asked for an order: it says nothing of the next one."""
    policy.odd_statements += 1
    if is_logged(policy.odd_statements):
        log.warning("Ordering replicas failed for %d statements, at last by %r; the plans were the installed driver's",
                    policy.odd_statements, problem, exc_info=problem)
    return 0


def drivers_plan_of_odd(TokenRouter policy, working_keyspace, query, problem):
    """The driver's own plan of such a statement."""
    tell_of_odd_statement(policy, problem)
    return drivers_plan(policy, working_keyspace, query, None)


def go_on_in_drivers_order(TokenRouter policy, problem):
    """Count a plan whose remaining hosts come in the driver's order, where such a statement is not asked."""
    tell_of_odd_statement(policy, problem)
    policy.by_driver += 1
