# SPDX-License-Identifier: Apache-2.0
from cassandra.pool import Host

from isotherm_driver.hosts.lister import HostLister

class RoundRobinCore(HostLister):
    _live_hosts: frozenset[Host]

class DCAwareCore(HostLister):
    local_dc: str | None
    used_hosts_per_remote_dc: int

class RackAwareCore(DCAwareCore):
    local_rack: str | None
