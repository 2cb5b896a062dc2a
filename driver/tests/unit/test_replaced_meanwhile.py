# SPDX-License-Identifier: Apache-2.0
"""What a policy has replaced while a host answers in Python is not freed under the one who asked.

The programs run in a process of their own, whose allocator overwrites what is freed: it ends by a signal otherwise.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BEGINNING = """
from cassandra.policies import HostDistance

import isotherm_driver
from isotherm_driver.node_reports import NodeReports
from topology import drained, grid, host, populated, ring_of, statement

class Answering:
    def __init__(self, meanwhile):
        self.meanwhile = meanwhile
    @property
    def datacenter(self):
        self.meanwhile()
        return "dc1"
    @property
    def broadcast_rpc_address(self):
        self.meanwhile()
        return "10.0.0.1"
    address = broadcast_address = listen_address = broadcast_rpc_address
    rack, broadcast_port = "r1", None
"""
PROGRAMS = {
    "the table of hosts": """
policy = isotherm_driver.DCAwareRoundRobinPolicy("dc1", 1)
policy.populate(None, grid(2, 1, 3))
asked = Answering(lambda: policy.on_up(host(99)))
for _ in range(20):
    assert policy.distance(asked) == HostDistance.LOCAL
""",
    "the reported depths": """
for _ in range(20):
    reports = NodeReports()
    reports.depths([("10.0.0.1", 7)])
    assert reports.depth_of(Answering(lambda: reports.depths([("10.0.0.1", 8)]))) == 7
""",
    "the rule of a plan": """
from isotherm_driver.queue_aware import QueueAwarePolicy

hosts = grid(1, 1, 4)
ring = ring_of(hosts)
def asked(each):
    policy.populate(ring, hosts)
    return 0
child = isotherm_driver.DCAwareRoundRobinPolicy("dc1")
policy = populated(QueueAwarePolicy(child, in_flight=asked), ring, hosts)
for _ in range(20):
    assert len(drained(policy, statement(b"key"))) == 4
""",
    "the child of a plan that has begun": """
from cassandra import policies as driver

hosts = grid(1, 1, 4)
for new in (driver.RoundRobinPolicy, lambda: isotherm_driver.HostFilterPolicy(driver.RoundRobinPolicy(), bool),
            isotherm_driver.RoundRobinPolicy):
    for taken in range(5):
        policy = isotherm_driver.TokenAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy("dc1"))
        populated(policy, ring_of(hosts), hosts)
        plan = iter(policy.make_query_plan(None, statement(b"key")))
        begun = [next(plan) for _ in range(taken)]
        policy._child_policy = populated(new(), None, hosts)
        rest = list(plan)
        assert sorted(each.address for each in begun + rest) == sorted(each.address for each in hosts), (taken, rest)
        assert len(drained(policy, statement(b"key"))) == 4
""",
}


@pytest.mark.parametrize("replaced", PROGRAMS)
def test_it_is_held(replaced: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEGINNING + PROGRAMS[replaced]],
        env=os.environ | {"PYTHONPATH": str(HERE), "PYTHONMALLOC": "debug"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
