# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from typing import Any

from cassandra.pool import Host

from isotherm_driver.hosts.policy_core import PolicyCore

class HostFilterCore(PolicyCore):
    _child_policy: Any
    def make_query_plan(self, working_keyspace: str | None = None, query: Any = None) -> Iterator[Host]: ...
