# SPDX-License-Identifier: Apache-2.0
"""Plans drained by many threads while the topology changes: nothing raised, nobody twice, nobody missed."""

import itertools
import sys
import threading
from collections.abc import Iterator

import pytest
from policy_pairs import LOCAL_DC, LOCAL_RACK
from topology import drained, host, populated, ring_of, statement

import isotherm_driver

READERS = 4
EVENTS = 1500
STEADY = [host(number, "dc1", f"r{number % 3 + 1}") for number in range(1, 7)]

POLICIES = {
    "RoundRobin": lambda m: m.RoundRobinPolicy(),
    "WhiteList": lambda m: m.WhiteListRoundRobinPolicy([f"10.0.0.{number}" for number in range(1, 60)]),
    "DCAware": lambda m: m.DCAwareRoundRobinPolicy(LOCAL_DC, 2),
    "RackAware": lambda m: m.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, 2),
    "TokenAware(DCAware)": lambda m: m.TokenAwarePolicy(m.DCAwareRoundRobinPolicy(LOCAL_DC, 2), shuffle_replicas=True),
    "TokenAware(RackAware)": lambda m: m.TokenAwarePolicy(
        m.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, 2), shuffle_replicas=True
    ),
    "HostFilter(TokenAware(DCAware))": lambda m: m.HostFilterPolicy(
        m.TokenAwarePolicy(m.DCAwareRoundRobinPolicy(LOCAL_DC, 2)), lambda each: True
    ),
    "Default(TokenAware(RackAware))": lambda m: m.DefaultLoadBalancingPolicy(
        m.TokenAwarePolicy(m.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, 2))
    ),
}


@pytest.fixture
def impatient_threads() -> Iterator[None]:
    """Let threads take turns a thousand times more often than they usually do."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("name", POLICIES)
def test_plans_while_hosts_come_and_go(name: str, impatient_threads: None) -> None:
    passing = [host(number, f"dc{number % 2 + 1}", f"r{number % 4 + 1}") for number in range(20, 32)]
    ring = ring_of([*STEADY, *passing])
    policy = populated(POLICIES[name](isotherm_driver), ring, [*STEADY, *passing])
    finished = threading.Event()
    started = threading.Barrier(READERS + 1)
    wrong: list[object] = []
    plans = [0] * READERS

    def read(reader: int) -> None:
        queries = itertools.cycle([None, *(statement(bytes([reader, number])) for number in range(50))])
        started.wait()
        try:
            while not finished.is_set() or plans[reader] < 50:
                plan = drained(policy, next(queries))
                plans[reader] += 1
                here = set(map(id, plan))
                if len(here) != len(plan):
                    wrong.append(("twice", plan))
                if not all(id(each) in here for each in STEADY):
                    wrong.append(("missed", plan))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=read, args=(reader,)) for reader in range(READERS)]
    for thread in threads:
        thread.start()
    started.wait()
    try:
        for event in range(EVENTS):
            each = passing[event % len(passing)]
            each.set_down()
            policy.on_down(each)
            if event % 5 == 0:
                policy.on_remove(each)
                ring.rebuild()
                each.set_location_info(f"dc{event % 3 + 1}", f"r{event % 4 + 1}")
            each.set_up()
            policy.on_up(each)
            if event % 50 == 0:
                ring.replicate("NetworkTopologyStrategy", {"dc1": str(event % 3 + 1), "dc2": "2"})
    finally:
        finished.set()
        for thread in threads:
            thread.join()
    assert wrong == []
    for each in passing:
        each.set_down()
        policy.on_remove(each)
    for key in range(100):
        assert set(map(id, drained(policy, statement(bytes([key]))))) == set(map(id, STEADY))


@pytest.mark.parametrize("name", POLICIES)
def test_threads_that_plan_at_once_share_the_hosts_evenly(name: str, impatient_threads: None) -> None:
    """A lost increment of the position is forgiven; one host that gets everything is not."""
    policy = populated(POLICIES[name](isotherm_driver), ring_of(STEADY), STEADY)
    firsts: list[list[object]] = [[] for _ in range(READERS)]

    def read(reader: int) -> None:
        for _ in range(3000):
            firsts[reader].append(next(iter(policy.make_query_plan())))

    threads = [threading.Thread(target=read, args=(reader,)) for reader in range(READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = [each for some in firsts for each in some]
    candidates = [each for each in STEADY if "RackAware" not in name or each.rack == LOCAL_RACK]
    for each in candidates:
        assert everything.count(each) > len(everything) / len(candidates) / 2
    assert len(everything) == sum(everything.count(each) for each in candidates)


def test_events_from_many_threads_are_all_counted(impatient_threads: None) -> None:
    hosts = [host(number, f"dc{number % 3 + 1}", f"r{number % 3 + 1}") for number in range(1, 121)]
    policy = populated(isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, 999), None, hosts[60:])

    def tell(part: int) -> None:
        for index in range(part, 60, 4):
            policy.on_add(hosts[index])
            policy.on_remove(hosts[60 + index])

    threads = [threading.Thread(target=tell, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(map(id, drained(policy))) == set(map(id, hosts[:60]))
