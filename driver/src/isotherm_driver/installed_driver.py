# SPDX-License-Identifier: Apache-2.0
"""What the installed driver has and the other one lacks: racks and tablets."""

import inspect
from typing import Any

from cassandra import policies
from cassandra.policies import HostDistance

try:
    from cassandra.tablets import Tablets
except ImportError:  # cassandra-driver
    Tablets = None

HAS_TABLETS = Tablets is not None
#: The distance of the local rack's hosts; cassandra-driver knows no other than that of the local datacenter.
LOCAL_RACK = getattr(HostDistance, "LOCAL_RACK", HostDistance.LOCAL)
#: The attribute that the driver's own DCAwareRoundRobinPolicy writes; one of the drivers has `local_dc` to read only.
LOCAL_DC = (
    "_local_dc" if isinstance(getattr(policies.DCAwareRoundRobinPolicy, "local_dc", None), property) else "local_dc"
)
RackAwareRoundRobinPolicy: Any = getattr(policies, "RackAwareRoundRobinPolicy", policies.LoadBalancingPolicy)
SHUFFLES_REPLICAS = inspect.signature(policies.TokenAwarePolicy.__init__).parameters["shuffle_replicas"].default
