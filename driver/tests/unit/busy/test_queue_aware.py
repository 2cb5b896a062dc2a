# SPDX-License-Identifier: Apache-2.0
"""Busy replicas come later, and a slow host makes nothing swing: in virtual time."""

import heapq
import itertools
import re
import traceback

import pytest
from cassandra import ConsistencyLevel
from cassandra import policies as driver
from cassandra.policies import HostDistance
from queue_aware_policy import queue_aware_over
from topology import grid, populated, ring_of, statement

from isotherm_driver.policies import (
    DCAwareRoundRobinPolicy,
    HostFilterPolicy,
    RackAwareRoundRobinPolicy,
    RoundRobinPolicy,
    WhiteListRoundRobinPolicy,
)
from isotherm_driver.queue_aware import QueueAwarePolicy

SOFT_LIMIT = 16


def policy_over(hosts, in_flight):
    return queue_aware_over(hosts, in_flight=in_flight, soft_limit=SOFT_LIMIT)


def test_a_busy_replica_comes_after_the_others_of_its_datacenter_and_before_every_other_host():
    hosts = grid(1, 1, 5)
    depths = dict.fromkeys(hosts, 0)
    policy = policy_over(hosts, depths.get)
    query = statement(b"key")
    replicas = policy._cluster_metadata.get_replicas("ks", b"key")
    depths[replicas[0]] = SOFT_LIMIT
    for _ in range(50):
        plan = list(policy.make_query_plan(None, query))
        assert plan[2] is replicas[0]
        assert set(plan[:3]) == set(replicas)
        assert len(set(plan)) == len(plan) == 5


def test_counters_that_are_empty_at_first_are_asked():
    class Counts(dict):
        def __call__(self, host):
            return self.get(host, 0)

    counts = Counts()
    policy = policy_over(grid(1, 1, 4), counts)
    query = statement(b"key")
    busy = policy._cluster_metadata.get_replicas("ks", b"key")[0]
    counts[busy] = SOFT_LIMIT
    assert all(next(iter(policy.make_query_plan(None, query))) is not busy for _ in range(50))


def test_one_request_below_the_limit_a_replica_keeps_its_place():
    hosts = grid(1, 1, 3)
    depths = dict.fromkeys(hosts, SOFT_LIMIT - 1)
    policy = policy_over(hosts, depths.get)
    depths[hosts[0]] = 0
    firsts = {next(policy.make_query_plan(None, statement(b"key"))) for _ in range(200)}
    assert firsts == set(hosts)


def test_among_busy_replicas_the_least_busy_comes_first():
    hosts = grid(1, 1, 3)
    depths = {hosts[0]: 90, hosts[1]: 30, hosts[2]: 60}
    policy = policy_over(hosts, depths.get)
    assert list(policy.make_query_plan(None, statement(b"key"))) == [hosts[1], hosts[2], hosts[0]]


def test_a_busy_replica_still_comes_before_those_of_other_datacenters():
    hosts = grid(2, 1, 3)
    policy = policy_over(hosts, lambda host: 1000 if host.datacenter == "dc1" else 0)
    for _ in range(20):
        plan = list(policy.make_query_plan(None, statement(b"key")))
        distances = [policy.distance(host) for host in plan]
        assert distances == [HostDistance.LOCAL] * 3 + [HostDistance.REMOTE]


def test_what_is_unknown_counts_as_idle():
    hosts = grid(1, 1, 3)
    policy = policy_over(hosts, lambda host: SOFT_LIMIT if host is hosts[0] else None)
    for _ in range(50):
        assert next(policy.make_query_plan(None, statement(b"key"))) is not hosts[0]


@pytest.mark.parametrize("stable", [{"lwt": True}, {"consistency_level": ConsistencyLevel.SERIAL}])
def test_replicas_that_must_come_in_a_stable_order_keep_it(stable):
    hosts = grid(1, 1, 3)
    policy = policy_over(hosts, lambda host: 1000 if host is hosts[0] else 0)
    query = statement(b"key", **stable)
    replicas = list(policy._cluster_metadata.get_replicas("ks", b"key"))
    for _ in range(20):
        assert list(policy.make_query_plan(None, query)) == replicas


def test_a_rule_that_throws_leaves_a_plan_of_all_hosts():
    def broken(host):
        raise RuntimeError("no such pool")

    hosts = grid(1, 1, 4)
    policy = policy_over(hosts, broken)
    assert set(policy.make_query_plan(None, statement(b"key"))) == set(hosts)
    assert policy.failures == 1


def test_a_driver_whose_pools_are_not_as_known_has_the_token_aware_order_and_ever_fewer_lines_say_so(caplog):
    hosts = grid(1, 1, 3)
    ring = ring_of(hosts)
    ring.sessions = [object()]  # without _pools
    policy = populated(QueueAwarePolicy(DCAwareRoundRobinPolicy("dc1"), soft_limit=SOFT_LIMIT), ring, hosts)
    for _ in range(100):
        assert set(policy.make_query_plan(None, statement(b"key"))) == set(hosts)
    assert policy.failures == 100
    lines = [record for record in caplog.records if record.name.startswith("isotherm_driver")]
    assert len(lines) == 7, "at the 1st, 2nd, 4th to 64th"
    assert all("'_pools'" in line.getMessage() and "in_flight.pyx" in stack(line) for line in lines)


def stack(line):
    return "".join(traceback.format_exception(*line.exc_info))


class Own(DCAwareRoundRobinPolicy):
    def distance(self, host):
        return super().distance(host)


def any_host(host):
    return True


def patched(child):
    child.distance = child.distance
    return child


UNLISTED = {
    "HostFilterPolicy of the driver": lambda: driver.HostFilterPolicy(DCAwareRoundRobinPolicy("dc1"), any_host),
    "HostFilterPolicy": lambda: HostFilterPolicy(DCAwareRoundRobinPolicy("dc1"), any_host),
    "WhiteListRoundRobinPolicy": lambda: WhiteListRoundRobinPolicy([each.address for each in grid(1, 1, 3)]),
    "DCAwareRoundRobinPolicy of the driver": lambda: driver.DCAwareRoundRobinPolicy("dc1"),
    "Own": lambda: Own("dc1"),
    "DCAwareRoundRobinPolicy, patched": lambda: patched(DCAwareRoundRobinPolicy("dc1")),
}
LISTED = {
    "RoundRobinPolicy": RoundRobinPolicy,
    "DCAwareRoundRobinPolicy": lambda: DCAwareRoundRobinPolicy("dc1"),
    "RackAwareRoundRobinPolicy": lambda: RackAwareRoundRobinPolicy("dc1", "r1"),
    "a subclass": lambda: type("Sub", (DCAwareRoundRobinPolicy,), {"_dc": lambda self, host: "dc1"})("dc1"),
}


@pytest.mark.parametrize("name", [*UNLISTED, *LISTED])
def test_a_child_over_which_the_policy_does_nothing_is_told_of_once(name, caplog):
    hosts = grid(1, 1, 3)
    ring = ring_of(hosts)
    busy = ring.replicas(b"key")[0]
    child = {**UNLISTED, **LISTED}[name]()
    policy = QueueAwarePolicy(child, in_flight=lambda host: SOFT_LIMIT * (host is busy), soft_limit=SOFT_LIMIT)
    for _ in range(2):  # as for two profiles that have it
        populated(policy, ring, hosts)
    firsts = {next(iter(policy.make_query_plan(None, statement(b"key")))) for _ in range(100)}
    assert (busy in firsts) is (name in UNLISTED)
    told = [message for message in caplog.messages if message.startswith("child_policy is ")]
    assert caplog.messages == told and len(told) == (name in UNLISTED)
    if told:
        kind, *of = re.split(" of the |, ", name)
        assert f"{'cassandra.policies' if of == ['driver'] else ''}.{kind}, over which" in told[0]
        assert "allowed: RoundRobinPolicy, DCAwareRoundRobinPolicy and RackAwareRoundRobinPolicy" in told[0]


class VirtualCluster:
    """Hosts that serve one request after another, each in its own time, under open-loop load."""

    def __init__(self, hosts, seconds_per_request):
        self.service = dict(zip(hosts, seconds_per_request, strict=True))
        self.in_flight = dict.fromkeys(hosts, 0)
        self.free_at = dict.fromkeys(hosts, 0.0)
        self.finished = []
        self.firsts = []  # (when, host)
        self._numbers = itertools.count()

    def run(self, policy, seconds, per_second, start=0.0):
        for i in range(int(seconds * per_second)):
            now = start + i / per_second
            while self.finished and self.finished[0][0] <= now:
                self.in_flight[heapq.heappop(self.finished)[2]] -= 1
            host = next(policy.make_query_plan(None, statement(i.to_bytes(8, "big"))))
            self.in_flight[host] += 1
            self.free_at[host] = max(self.free_at[host], now) + self.service[host]
            heapq.heappush(self.finished, (self.free_at[host], next(self._numbers), host))
            self.firsts.append((now, host))
            assert self.in_flight[host] <= SOFT_LIMIT or all(n >= SOFT_LIMIT for n in self.in_flight.values())

    def shares(self, host, since, until, window):
        """The host's share of the requests in each window."""
        counts = {}
        for now, first in self.firsts:
            if since <= now < until:
                counts.setdefault(int((now - since) / window), []).append(first is host)
        return [sum(hits) / len(hits) for _, hits in sorted(counts.items())]


def test_a_slow_host_gets_what_it_can_serve_and_its_share_does_not_swing():
    hosts = grid(1, 1, 3)
    cluster = VirtualCluster(hosts, [0.050, 0.001, 0.001])  # the first serves 20 a second, the others 1000 each
    policy = policy_over(hosts, cluster.in_flight.get)
    cluster.run(policy, seconds=20, per_second=600)

    shares = cluster.shares(hosts[0], since=2, until=20, window=1)
    served = 20 / 600
    assert all(abs(share - served) <= 2 / 600 for share in shares)  # within two requests of what it serves
    slow_in_flight = cluster.in_flight[hosts[0]]
    assert SOFT_LIMIT - 1 <= slow_in_flight <= SOFT_LIMIT
    others = cluster.shares(hosts[1], since=2, until=20, window=1)
    assert all(abs(share - (1 - served) / 2) < 0.08 for share in others)


def test_a_host_that_becomes_fast_again_gets_its_share_back_at_once():
    hosts = grid(1, 1, 3)
    cluster = VirtualCluster(hosts, [0.050, 0.001, 0.001])
    policy = policy_over(hosts, cluster.in_flight.get)
    cluster.run(policy, seconds=5, per_second=600)
    cluster.service[hosts[0]] = 0.001
    cluster.run(policy, seconds=5, per_second=600, start=5.0)
    # What was in its queue took 16 x 50 ms; after that it is a host like any other.
    assert all(abs(share - 1 / 3) < 0.08 for share in cluster.shares(hosts[0], since=6, until=10, window=1))
