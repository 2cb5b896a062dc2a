# SPDX-License-Identifier: Apache-2.0
"""Plans without the hosts that a predicate rejects, begun by two threads."""

import threading
from collections.abc import Callable
from typing import Any

from topology import grid, populated, ring_of, statement

import isotherm_driver


def test_a_filtered_plan_that_two_threads_begin_offers_no_host_twice() -> None:
    taken: list[Any] = []
    begun: list[bool] = []

    class Filter(isotherm_driver.HostFilterPolicy):
        @property
        def predicate(self) -> Callable[[Any], bool]:
            if not begun:
                begun.append(True)
                other = threading.Thread(target=lambda: taken.append(next(plan)))
                other.start()
                other.join()
            return lambda host: True

    hosts = grid(1, 1, 4)
    child = isotherm_driver.TokenAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy("dc1"), shuffle_replicas=False)
    policy = populated(Filter(child, None), ring_of(hosts), hosts)
    plan = iter(policy.make_query_plan(None, statement(b"key")))
    taken.append(next(plan))
    taken += plan
    assert len(taken) == len(set(taken)) == 4
