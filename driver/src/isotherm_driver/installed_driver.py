# SPDX-License-Identifier: Apache-2.0
"""What the installed driver has and the other one lacks: racks and tablets."""

import inspect
from collections.abc import Mapping
from typing import Any

from cassandra import metadata, policies
from cassandra.policies import HostDistance

try:
    from cassandra.tablets import Tablets as _Tablets
except ImportError:  # cassandra-driver
    _Tablets = None

# What a release of the drivers may rename or drop; nothing is of a class that is missing.
Tablets: Any = _Tablets
Metadata: Any = getattr(metadata, "Metadata", None)
TokenMap: Any = getattr(metadata, "TokenMap", None)
Murmur3Token: Any = getattr(metadata, "Murmur3Token", None)

HAS_TABLETS: bool = Tablets is not None
#: The distance of the local rack's hosts; cassandra-driver knows no other than that of the local datacenter.
LOCAL_RACK: int = getattr(HostDistance, "LOCAL_RACK", HostDistance.LOCAL)
#: The attribute that the driver's own DCAwareRoundRobinPolicy writes; one of the drivers has `local_dc` to read only.
LOCAL_DC: str = (
    "_local_dc" if isinstance(getattr(policies.DCAwareRoundRobinPolicy, "local_dc", None), property) else "local_dc"
)
HAS_RACKS: bool = hasattr(policies, "RackAwareRoundRobinPolicy")
RackAwareRoundRobinPolicy: Any = getattr(policies, "RackAwareRoundRobinPolicy", policies.LoadBalancingPolicy)
#: What the installed driver's token-aware policy takes beside its child.
TOKEN_AWARE_SETTINGS: Mapping[str, inspect.Parameter] = inspect.signature(policies.TokenAwarePolicy.__init__).parameters
SHUFFLES_REPLICAS: bool = TOKEN_AWARE_SETTINGS["shuffle_replicas"].default
PREFERS_TABLET_LEADER: bool = getattr(policies.TokenAwarePolicy, "_prefer_tablet_leader", True)
