# SPDX-License-Identifier: Apache-2.0
from collections.abc import MutableMapping
from typing import Any

from cassandra.pool import Host

from isotherm_driver.hosts.lister import HostLister

class RoundRobinCore(HostLister):
    _live_hosts: frozenset[Host]

class DCAwareCore(HostLister):
    local_dc: str | None
    used_hosts_per_remote_dc: int
    _dc_live_hosts: MutableMapping[str | None, tuple[Host, ...]]
    def _dc(self, host: Host) -> str | None: ...

class RackAwareCore(DCAwareCore):
    local_rack: str | None
    _live_hosts: MutableMapping[tuple[str | None, str | None], tuple[Host, ...]]
    def _rack(self, host: Host) -> str | None: ...

def lists_natively(policy: Any) -> bool: ...
