# SPDX-License-Identifier: Apache-2.0
"""copy.copy of a policy: as the driver's own, with the same settings, hosts and child; then each goes its own way."""

import copy
from threading import RLock
from types import ModuleType
from typing import Any

import pytest
from cassandra import policies as driver
from hanging import within_seconds
from policy_pairs import PAIRS
from queue_aware_policy import queue_aware_over
from topology import drained, grid, grown, host, ring_of, statement

import isotherm_driver


@pytest.mark.parametrize("name", PAIRS)
def test_a_copy_plans_like_its_original(name: str) -> None:
    hosts = grid(2, 3, 2)
    ring = ring_of(hosts)
    ring.endpoints_resolved = [hosts[0].endpoint]
    original = grown(PAIRS[name](isotherm_driver), ring, hosts)
    original.mark = "kept"
    made = copy.copy(original)
    assert type(made) is type(original)
    assert made.mark == "kept"
    for query in (None, statement(b"key"), statement(b"key", lwt=True)):
        assert sorted(map(id, drained(made, query))) == sorted(map(id, drained(original, query)))
    for each in hosts:
        assert made.distance(each) == original.distance(each)


@pytest.mark.parametrize("module", [driver, isotherm_driver], ids=["driver", "isotherm"])
def test_a_copy_has_a_lock_of_the_kind_that_its_class_gave_it(module: ModuleType) -> None:
    class Reentrant(module.RoundRobinPolicy):  # type: ignore[name-defined]
        def __init__(self) -> None:
            super().__init__()
            self._hosts_lock = RLock()

        def on_up(self, host: Any) -> None:
            with self._hosts_lock:
                super().on_up(host)

    made = copy.copy(grown(Reentrant(), None, [host(1)]))
    within_seconds(made.on_up, host(2))
    assert set(drained(made)) == {host(1), host(2)}


@pytest.mark.parametrize("name", ["RoundRobin", "DCAware, 2 remote"])
def test_a_copy_goes_its_own_way(name: str) -> None:
    hosts = grid(1, 1, 3)
    original = grown(PAIRS[name](isotherm_driver), None, hosts)
    made = copy.copy(original)
    made.on_down(hosts[0])
    original.on_up(host(7))
    assert set(drained(made)) == set(hosts[1:])
    assert set(drained(original)) == {*hosts, host(7)}


def test_a_copy_of_a_queue_aware_policy_knows_who_is_busy() -> None:
    hosts = grid(1, 1, 3)
    original = queue_aware_over(hosts, in_flight=lambda each: 1000 if each is hosts[0] else 0)
    for _ in range(20):
        assert drained(copy.copy(original), statement(b"key"))[-1] is hosts[0]
