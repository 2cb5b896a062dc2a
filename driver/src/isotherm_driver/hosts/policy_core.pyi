# SPDX-License-Identifier: Apache-2.0
from collections.abc import Container, Iterator
from threading import Lock

from isotherm_driver.drivers_types import Host, Query

class PolicyCore:
    _hosts_lock: Lock
    def make_query_plan_with_exclusion(
        self, working_keyspace: str | None = None, query: Query = None, excluded: Container[Host] = ()
    ) -> Iterator[Host]: ...
