# SPDX-License-Identifier: Apache-2.0
"""Plans of the installed driver's own token-aware policy, for a release of the driver that is not as known."""

import logging
from collections.abc import Iterable
from typing import Any

from cassandra import policies as driver

log: logging.Logger = logging.getLogger("isotherm_driver.policies")


def drivers_plan(policy: Any, working_keyspace: str | None, query: Any, problem: BaseException | None) -> Iterable[Any]:
    """The plan that the driver's own policy makes of this one's child and metadata; the first problem is logged."""
    if problem is not None and not policy._told_of_the_drivers_way:
        policy._told_of_the_drivers_way = True
        log.warning(
            "The metadata of the installed driver is not as known (%s: %s): its own policy makes the plans",
            type(problem).__name__,
            problem,
        )
    plan: Iterable[Any] = driver.TokenAwarePolicy.make_query_plan(policy, working_keyspace, query)
    return plan
