# SPDX-License-Identifier: Apache-2.0
"""The rule of a policy that orders replicas: only a complete order is taken, and two threads may begin one plan."""

import threading
from typing import Any

import pytest
from policy_pairs import LOCAL_DC
from topology import drained, grid, populated, ring_of, statement

import isotherm_driver


def token_aware(arrange: Any, **more: Any) -> Any:
    hosts = grid(1, 1, 9)
    policy = isotherm_driver.TokenAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), **more)
    policy._arrange = arrange
    return populated(policy, ring_of(hosts), hosts)


@pytest.mark.parametrize("places", [b"", bytes([0, 1]), bytes([0, 1, 1]), bytes([64, 1, 2]), bytes([0, 1, 2, 3])])
def test_what_is_no_order_of_the_replicas_is_refused(places: bytes, caplog: pytest.LogCaptureFixture) -> None:
    policy = token_aware(lambda *arguments: places)
    assert len(set(drained(policy, statement(b"key")))) == 9
    assert policy.plans_by_driver == 1
    assert ["not an order of the replicas" in message for message in caplog.messages] == [True]


def test_an_order_is_taken() -> None:
    policy = token_aware(lambda *arguments: bytes([2, 0, 1]))
    first, second, third = policy._cluster_metadata.get_replicas("ks", b"key")
    assert drained(policy, statement(b"key"))[:3] == [third, first, second]


class Beginning:
    """A plan that another thread begins too, and takes the first host of, while this one begins it."""

    def __init__(self, shuffle: bool):
        self.taken: list[Any] = []
        self.begun = False
        self.plan = token_aware(self.arrange, shuffle_replicas=shuffle).make_query_plan(None, statement(b"key"))

    def take(self) -> None:
        self.taken.append(next(self.plan))

    def arrange(self, *arguments: Any) -> None:
        if not self.begun:
            self.begun = True
            other = threading.Thread(target=self.take)
            other.start()
            other.join()


@pytest.mark.parametrize("shuffle", [True, False])
def test_a_plan_that_two_threads_begin_offers_no_host_twice(shuffle: bool) -> None:
    for _ in range(30):
        both = Beginning(shuffle)
        both.take()
        taken = [*both.taken, *both.plan]
        assert len(taken) == len(set(taken)) == 9
