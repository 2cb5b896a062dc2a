# SPDX-License-Identifier: Apache-2.0
from collections.abc import MutableMapping

from isotherm_driver.drivers_types import Host, Policy
from isotherm_driver.hosts.lister import HostLister

class RoundRobinCore(HostLister):
    _live_hosts: frozenset[Host]

class DCAwareCore(HostLister):
    local_dc: str | None
    used_hosts_per_remote_dc: int
    _local_dc: str | None
    _local_dc_explicit: bool
    _dc_live_hosts: MutableMapping[str | None, tuple[Host, ...]]
    def _dc(self, host: Host) -> str | None: ...

class RackAwareCore(DCAwareCore):
    local_rack: str | None
    _live_hosts: MutableMapping[tuple[str | None, str | None], tuple[Host, ...]]
    def _rack(self, host: Host) -> str | None: ...

def lists_natively(policy: Policy) -> bool: ...
