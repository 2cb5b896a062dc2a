# SPDX-License-Identifier: Apache-2.0
"""Hosts that are no hosts: a policy reads of them only what it needs, so that any double will do."""

from typing import Any

import pytest
from cassandra import policies as driver
from cassandra.policies import HostDistance
from policy_pairs import LOCAL_DC, LOCAL_RACK
from topology import drained, populated

import isotherm_driver

MODULES = pytest.mark.parametrize("module", [driver, isotherm_driver], ids=["driver", "isotherm"])


class Double:
    """A host of which nothing is known but these attributes."""

    def __init__(self, **attributes: Any):
        vars(self).update(attributes)


@MODULES
def test_round_robin_takes_numbers(module: Any) -> None:
    policy = populated(module.RoundRobinPolicy(), None, [0, 1, 2, 3])
    assert sorted(drained(policy)) == [0, 1, 2, 3]
    policy.on_down(0)
    policy.on_up(4)
    policy.on_add(5)
    policy.on_remove(2)
    policy.on_up(1)
    assert sorted(drained(policy)) == [1, 3, 4, 5]
    assert policy.distance(7) == HostDistance.LOCAL


@MODULES
def test_wrapped_round_robin_takes_numbers(module: Any) -> None:
    even = populated(module.HostFilterPolicy(module.RoundRobinPolicy(), lambda each: each % 2 == 0), None, [0, 1, 2])
    assert sorted(drained(even)) == [0, 2]
    default = populated(module.DefaultLoadBalancingPolicy(module.RoundRobinPolicy()), None, [0, 1, 2])
    default._cluster_metadata.get_host.return_value = None
    assert sorted(drained(default)) == [0, 1, 2]


@MODULES
def test_by_datacenter_a_host_needs_no_rack(module: Any) -> None:
    hosts = [Double(datacenter=dc) for dc in (LOCAL_DC, LOCAL_DC, "dc2")]
    policy = module.DCAwareRoundRobinPolicy(LOCAL_DC, 1)
    populated(policy, None, [])
    for each in hosts:
        policy.on_add(each)
    plan = drained(policy)
    assert plan[2] is hosts[2]
    policy.on_remove(hosts[0])
    assert drained(policy) == hosts[1:]


def test_by_rack_a_host_needs_no_more_than_both() -> None:
    hosts = [Double(datacenter=LOCAL_DC, rack=rack) for rack in ("r2", LOCAL_RACK)]
    policy = isotherm_driver.RackAwareRoundRobinPolicy(LOCAL_DC, LOCAL_RACK)
    populated(policy, None, [])
    for each in hosts:
        policy.on_up(each)
    assert drained(policy) == hosts[::-1]


@MODULES
def test_a_white_list_needs_addresses(module: Any) -> None:
    hosts = [Double(address=f"10.0.0.{number}") for number in (1, 2, 3)]
    policy = module.WhiteListRoundRobinPolicy(["10.0.0.1", "10.0.0.3"])
    populated(policy, None, [])
    for each in hosts:
        if each.address != "10.0.0.2":
            policy.on_add(each)
    assert all(each in drained(policy) for each in (hosts[0], hosts[2]))
