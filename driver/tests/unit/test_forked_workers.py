# SPDX-License-Identifier: Apache-2.0
"""Processes forked from one that has made its policies: each shuffles and begins for itself, and waits for nobody."""

import copy
import json
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest
from policy_pairs import LOCAL_DC
from queue_aware_policy import queue_aware_over
from topology import KEYSPACE, drained, grid, host, populated, ring_of, statement

import isotherm_driver
from isotherm_driver.queue_aware import QueueAwarePolicy

if not hasattr(os, "fork"):
    pytest.skip("processes are not forked here", allow_module_level=True)

HOSTS = grid(1, 1, 9)
#: A policy that takes turns begins at one of them.
MANY_HOSTS = grid(1, 1, 20_000)


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
        signal.alarm(60)  # a child that hangs ends without an answer
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
    # Of 9 ** 40 sequences of shuffles 7 processes share none. Of 20,000 rotations they draw less than 5 different ones
    # with a probability of 4.4e-11; processes that begin alike would draw one, or two with their parent's.
    different = {tuple(each) for each in [*children, firsts(policy)]}
    assert len(different) >= (5 if name in ("RoundRobin", "DCAware") else 7)


def test_no_two_processes_plan_alike_that_populate_what_was_made_before_the_fork() -> None:
    """As an application does that makes its cluster at first and connects in each worker."""
    policy = QueueAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), in_flight=lambda host: None)
    ring = ring_of(HOSTS, factor=9)
    children = [in_a_child(lambda: firsts(populated(policy, ring, HOSTS))) for _ in range(6)]
    assert len({tuple(each) for each in children}) == 6


class Pause:
    """Stops the other threads of this process that come by, and none of its children, until it ends."""

    def __init__(self) -> None:
        self.process, self.main = os.getpid(), threading.get_ident()
        self.reached, self.over = threading.Event(), threading.Event()

    def __call__(self) -> None:
        if os.getpid() == self.process and threading.get_ident() != self.main:
            self.reached.set()
            assert self.over.wait(60)


def in_a_child_while(pause: Pause, other: Callable[[], Any], work: Callable[[], list]) -> list:
    """Return what the work returns in a process that is forked while a thread pauses in something else."""
    thread = threading.Thread(target=other)
    thread.start()
    try:
        assert pause.reached.wait(60)
        return in_a_child(work)
    finally:
        pause.over.set()
        thread.join()


def test_a_process_forked_while_a_thread_makes_a_route_makes_its_own() -> None:
    pause = Pause()

    class Replicas(dict):
        def items(self) -> Any:
            pause()
            return super().items()

    policy = token_aware()
    token_map = policy._cluster_metadata.token_map
    token_map.rebuild_keyspace(KEYSPACE, build_if_absent=True)
    token_map.tokens_to_hosts_by_ks[KEYSPACE] = Replicas(token_map.tokens_to_hosts_by_ks[KEYSPACE])
    found = in_a_child_while(pause, lambda: firsts(policy), lambda: firsts(policy))
    assert set(found) <= {each.address for each in HOSTS}
    assert len(found) == len(firsts(policy)) == 40


def pausing_name(pause: Pause) -> str:
    """Return the datacenter's, which is looked up while the policy's hosts are listed anew."""

    class Name(str):
        def __hash__(self) -> int:
            pause()
            return super().__hash__()

    return Name(LOCAL_DC)


def test_a_process_forked_while_a_thread_tells_of_a_host_is_told_too() -> None:
    pause = Pause()
    hosts = grid(1, 1, 2)
    policy = populated(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), None, hosts)
    new = host(50)
    new.set_location_info(pausing_name(pause), "r1")

    def told() -> list:
        policy.on_up(host(51))
        return [each.address for each in drained(policy)]

    assert host(51).address in in_a_child_while(pause, lambda: policy.on_up(new), told)


def test_a_process_forked_while_a_thread_changes_the_hosts_changes_its_own() -> None:
    pause = Pause()
    hosts = grid(2, 1, 2)
    policy = populated(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), None, hosts)

    def listed_without_one() -> list:
        policy._dc_live_hosts = {LOCAL_DC: hosts[:1]}
        policy.used_hosts_per_remote_dc = 1
        return [each.address for each in drained(policy)]

    found = in_a_child_while(pause, lambda: setattr(policy, "local_dc", pausing_name(pause)), listed_without_one)
    assert found == [hosts[0].address]


def test_one_policy_that_cannot_begin_anew_keeps_no_other_from_it(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(isotherm_driver.RoundRobinPolicy):
        def _begin_anew(self, seed: int) -> None:
            raise LookupError("not this one")

    broken = [populated(Broken(), None, MANY_HOSTS[:2]) for _ in range(2)]
    policies = [populated(isotherm_driver.RoundRobinPolicy(), None, MANY_HOSTS[:2]) for _ in range(2)]
    for each in policies:
        each._hosts_lock.acquire()  # as a thread may, at the instant of the fork

    def begun() -> list:
        lines = [line for line in caplog.messages if "begin" in line]
        return [*(each._hosts_lock.locked() for each in policies), len(lines), "not this one" in lines[0]]

    assert len(broken) == 2
    assert in_a_child(begun) == [False, False, 1, True]


class Named:
    """A lock that is made with a name only."""

    def __init__(self, name: str):
        self.name, self.lock = name, threading.Lock()

    def __enter__(self) -> bool:
        return self.lock.acquire()

    def __exit__(self, *problem: object) -> None:
        self.lock.release()


def test_a_lock_that_takes_arguments_becomes_a_plain_one() -> None:
    policy = populated(isotherm_driver.RoundRobinPolicy(), None, MANY_HOSTS[:2])
    policy._hosts_lock = Named("hosts")
    assert type(copy.copy(policy)._hosts_lock) is type(threading.Lock())

    def told() -> list:
        policy.on_up(host(51))
        return [host(51) in drained(policy)]

    with policy._hosts_lock:  # as a thread may, at the instant of the fork
        assert in_a_child(told) == [True]
