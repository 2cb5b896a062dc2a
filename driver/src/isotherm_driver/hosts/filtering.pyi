# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator

from isotherm_driver.drivers_types import Host, Policy, Query
from isotherm_driver.hosts.policy_core import PolicyCore

class HostFilterCore(PolicyCore):
    _child_policy: Policy
    def make_query_plan(self, working_keyspace: str | None = None, query: Query = None) -> Iterator[Host]: ...
