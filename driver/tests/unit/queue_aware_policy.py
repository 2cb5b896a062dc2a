# SPDX-License-Identifier: Apache-2.0
"""A populated queue-aware policy that draws the same random numbers in every run."""

import random
from collections.abc import Sequence
from typing import Any

from cassandra.pool import Host
from topology import populated, ring_of

from isotherm_driver.policies import DCAwareRoundRobinPolicy
from isotherm_driver.queue_aware import QueueAwarePolicy


def queue_aware_over(hosts: Sequence[Host], **settings: Any) -> QueueAwarePolicy:
    """Return the policy over these hosts and, of each remote datacenter, one."""
    child = DCAwareRoundRobinPolicy("dc1", used_hosts_per_remote_dc=1)
    return populated(QueueAwarePolicy(child, random=random.Random(1), **settings), ring_of(hosts), hosts)
