# SPDX-License-Identifier: Apache-2.0
"""Processes forked from one that has made its policies: each shuffles and begins for itself."""

import json
import os

import pytest
from policy_pairs import LOCAL_DC
from queue_aware_policy import queue_aware_over
from topology import drained, grid, populated, ring_of, statement

import isotherm_driver
from isotherm_driver.queue_aware import QueueAwarePolicy

if not hasattr(os, "fork"):
    pytest.skip("processes are not forked here", allow_module_level=True)

HOSTS = grid(1, 1, 9)
#: A policy that takes turns begins at one of them.
MANY_HOSTS = grid(1, 1, 2000)


def token_aware():
    child = isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC)
    policy = isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=True)
    return populated(policy, ring_of(HOSTS, factor=9), HOSTS)


POLICIES = {
    "TokenAware": token_aware,
    "QueueAware": lambda: queue_aware_over(HOSTS, in_flight=lambda host: None),
    "RoundRobin": lambda: populated(isotherm_driver.RoundRobinPolicy(), None, MANY_HOSTS),
    "DCAware": lambda: populated(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), None, MANY_HOSTS),
}


def in_a_child(work) -> list:
    """Return what the work returns in a forked process, by way of a pipe."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer)


def firsts(policy) -> list:
    return [drained(policy, statement(b"key"))[0].address for _ in range(40)]


@pytest.mark.parametrize("name", POLICIES)
def test_no_two_processes_plan_alike(name: str) -> None:
    policy = POLICIES[name]()
    children = [in_a_child(lambda: firsts(policy)) for _ in range(6)]
    # Of 9 ** 40 sequences of shuffles 7 processes share none; of 2,000 rotations they may share one, in 1 of 100 runs.
    different = {tuple(each) for each in [*children, firsts(policy)]}
    assert len(different) >= (6 if name in ("RoundRobin", "DCAware") else 7)


def test_no_two_processes_plan_alike_that_populate_what_was_made_before_the_fork() -> None:
    """As an application does that makes its cluster at first and connects in each worker."""
    policy = QueueAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), in_flight=lambda host: None)
    ring = ring_of(HOSTS, factor=9)
    children = [in_a_child(lambda: firsts(populated(policy, ring, HOSTS))) for _ in range(6)]
    assert len({tuple(each) for each in children}) == 6
