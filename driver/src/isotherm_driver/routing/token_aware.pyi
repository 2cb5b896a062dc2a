# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from typing import Any

from isotherm_driver.drivers_types import Host, Metadata, Policy, Query
from isotherm_driver.hosts.policy_core import PolicyCore

class TokenAwareCore(PolicyCore):
    shuffle_replicas: bool
    _child_policy: Policy
    _cluster_metadata: Metadata
    _prefer_tablet_leader: bool
    _arrange: Any
    @property
    def plans_by_driver(self) -> int: ...
    def make_query_plan(self, working_keyspace: str | None = None, query: Query = None) -> Iterator[Host]: ...
