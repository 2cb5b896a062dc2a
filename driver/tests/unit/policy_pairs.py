# SPDX-License-Identifier: Apache-2.0
"""Each policy once for both sides: a recipe takes a module, the driver's or ours, and builds the policy from it."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from cassandra.pool import Host
from topology import IS_SCYLLA

LOCAL_DC = "dc1"
LOCAL_RACK = "r1"
#: Half of the addresses that the tests use; each is resolved whenever a policy is made.
ALLOWED = [f"10.0.0.{number}" for number in range(1, 42, 2)]

Recipe = Callable[[ModuleType], Any]


def is_allowed(host: Host) -> bool:
    """The predicate of the host filters: odd last numbers."""
    return int(host.address.rpartition(".")[2]) % 2 == 1


PLAIN: dict[str, Recipe] = {
    "RoundRobin": lambda m: m.RoundRobinPolicy(),
    "WhiteList": lambda m: m.WhiteListRoundRobinPolicy(ALLOWED),
    "DCAware, inferred": lambda m: m.DCAwareRoundRobinPolicy(),
    "DCAware": lambda m: m.DCAwareRoundRobinPolicy(LOCAL_DC),
    "DCAware, 1 remote": lambda m: m.DCAwareRoundRobinPolicy(LOCAL_DC, 1),
    "DCAware, 2 remote": lambda m: m.DCAwareRoundRobinPolicy(LOCAL_DC, used_hosts_per_remote_dc=2),
}
if IS_SCYLLA:
    PLAIN |= {
        "RackAware": lambda m: m.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK),
        "RackAware, 2 remote": lambda m: m.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK, used_hosts_per_remote_dc=2),
    }


def _wrapped(plain: Recipe) -> dict[str, Recipe]:
    return {
        "TokenAware({})": lambda m: m.TokenAwarePolicy(plain(m), shuffle_replicas=False),
        "HostFilter({})": lambda m: m.HostFilterPolicy(plain(m), is_allowed),
        "Default({})": lambda m: m.DefaultLoadBalancingPolicy(plain(m)),
        "Default(TokenAware({}))": lambda m: m.DefaultLoadBalancingPolicy(
            m.TokenAwarePolicy(plain(m), shuffle_replicas=False)
        ),
        "TokenAware(HostFilter({}))": lambda m: m.TokenAwarePolicy(
            m.HostFilterPolicy(plain(m), is_allowed), shuffle_replicas=False
        ),
    }


PAIRS: dict[str, Recipe] = PLAIN | {
    wrapping.format(name): recipe
    for name, plain in PLAIN.items()
    if name not in ("DCAware", "DCAware, inferred")
    for wrapping, recipe in _wrapped(plain).items()
}


def leaf(policy: Any) -> Any:
    """Return the innermost child of a policy, which holds the hosts."""
    while getattr(policy, "_child_policy", None) is not None:
        policy = policy._child_policy
    return policy
