# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from typing import Any

from cassandra.metadata import Metadata
from cassandra.pool import Host

from isotherm_driver.hosts.policy_core import PolicyCore

class TokenAwareCore(PolicyCore):
    shuffle_replicas: bool
    _child_policy: Any
    _cluster_metadata: Metadata
    _prefer_tablet_leader: bool
    _arrange: Any
    def make_query_plan(self, working_keyspace: str | None = None, query: Any = None) -> Iterator[Host]: ...
