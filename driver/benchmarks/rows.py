# SPDX-License-Identifier: Apache-2.0
"""The rows of the comparison: a policy built from a module, the driver's or ours, and what its plans must hold."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from cassandra.policies import HostDistance
from cassandra.pool import Host
from ring import DCS, KEYSPACE, LOCAL_DC, LOCAL_RACK, NODES, RACKS, TABLE, BenchCluster, hosts_of, owners

import isotherm_driver
from isotherm_driver.node_reports import NodeReports
from isotherm_driver.queue_aware import QueueAwarePolicy

USED_REMOTE = 1


def dc_aware(module: ModuleType) -> Any:
    """Return the module's policy for the local datacenter with one host of each remote one."""
    return module.DCAwareRoundRobinPolicy(LOCAL_DC, used_hosts_per_remote_dc=USED_REMOTE)


def rack_aware(module: ModuleType) -> Any:
    """Return the module's policy for the local rack, with one host of each remote datacenter."""
    return module.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, used_hosts_per_remote_dc=USED_REMOTE)


def token_aware(module: ModuleType) -> Any:
    """Return the module's token-aware policy over its dc_aware() one, which takes the replicas in random order."""
    return module.TokenAwarePolicy(dc_aware(module), shuffle_replicas=True)


def published() -> NodeReports:
    """Return reports that never go stale: a short queue and some heat of every node."""
    reports = NodeReports(stale_after=float("inf"))
    hosts = hosts_of(DCS, RACKS, NODES)
    reports.depths([(host.address, 3) for host in hosts])
    reports.heats([(KEYSPACE, TABLE, host.address, "cache", 0.5 + n / 100) for n, host in enumerate(hosts)])
    return reports


def queue_aware(module: ModuleType, **settings: Any) -> Any:
    """Return the queue-aware policy or, where the driver's is asked for, its token-aware one: it has no other."""
    return QueueAwarePolicy(dc_aware(module), **settings) if module is isotherm_driver else token_aware(module)


def not_in_the_last_local_rack(host: Host) -> bool:
    """The predicate of the host filter: a third of the local datacenter is left out."""
    return host.datacenter != LOCAL_DC or host.rack != "rack3"


def filtering(module: ModuleType) -> Any:
    """Return the module's host filter over its dc_aware() policy."""
    return module.HostFilterPolicy(dc_aware(module), not_in_the_last_local_rack)


def white_list(module: ModuleType) -> Any:
    """Return the module's policy for the local datacenter's hosts by their addresses."""
    return module.WhiteListRoundRobinPolicy([host.address for host in hosts_of(DCS[:1], RACKS, NODES)])


@dataclass(frozen=True)
class Row:
    """One policy; `scylla_only` where cassandra-driver has nothing to compare with."""

    name: str
    make: Callable[[ModuleType], Any]
    token_aware: bool = False
    tablets: bool = False
    scylla_only: bool = False

    def policy(self, module: ModuleType, ring: BenchCluster) -> Any:
        """Return the policy, populated with every host."""
        made = self.make(module)
        made.populate(ring, list(ring.hosts))
        return made


ROWS = [
    Row("RoundRobin", lambda m: m.RoundRobinPolicy()),
    Row("DCAware", dc_aware),
    Row("RackAware", rack_aware, scylla_only=True),
    Row("TokenAware(DCAware)", token_aware, token_aware=True),
    Row(
        "TokenAware(RackAware)", lambda m: m.TokenAwarePolicy(rack_aware(m), shuffle_replicas=True),
        token_aware=True, scylla_only=True,
    ),
    Row(
        "TokenAware(DCAware) tablets", token_aware, token_aware=True, tablets=True, scylla_only=True,
    ),
    Row("QueueAware(DCAware)", queue_aware, token_aware=True),
    Row("QueueAware(DCAware) reports", lambda m: queue_aware(m, reports=published()), token_aware=True),
    Row(
        "QueueAware(DCAware) reports, affinity", lambda m: queue_aware(m, reports=published(), affinity=True),
        token_aware=True,
    ),
    Row("Default(DCAware)", lambda m: m.DefaultLoadBalancingPolicy(dc_aware(m))),
    Row("HostFilter(DCAware)", filtering),
    Row(
        "TokenAware(HostFilter(DCAware))", lambda m: m.TokenAwarePolicy(filtering(m), shuffle_replicas=True),
        token_aware=True,
    ),
    Row(
        "TokenAware(WhiteList)", lambda m: m.TokenAwarePolicy(white_list(m), shuffle_replicas=True), token_aware=True,
    ),
]  # fmt: skip


def check(row: Row, policy: Any, ring: BenchCluster, queries: list) -> int:
    """Raise AssertionError unless the plan of every query is right; return how many hosts a plan has."""
    usable = {host for host in ring.hosts if policy.distance(host) != HostDistance.IGNORED}
    assert usable
    for query in queries:
        plan = list(policy.make_query_plan(None, query))
        assert len(plan) == len(set(plan)) == len(usable), f"{row.name}: {plan}"
        assert set(plan) == usable, f"{row.name}: {plan}"
        local = [policy.distance(host) != HostDistance.REMOTE for host in plan]
        if row.token_aware:
            replicas = owners(ring, query) & usable
            near = {host for host in replicas if policy.distance(host) != HostDistance.REMOTE}
            assert near, f"{row.name}: no local replica among {replicas}"
            assert set(plan[: len(near)]) == near, f"{row.name}: {plan}, replicas {near}"
        else:
            assert local == sorted(local, reverse=True), f"{row.name}: remote before local in {plan}"
    return len(usable)
