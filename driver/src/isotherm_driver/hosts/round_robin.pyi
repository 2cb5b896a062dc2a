# SPDX-License-Identifier: Apache-2.0
from isotherm_driver.policies import _Listing

class HostLister(_Listing): ...
class RoundRobinCore(HostLister): ...

class DCAwareCore(HostLister):
    local_dc: str | None
    used_hosts_per_remote_dc: int

class RackAwareCore(DCAwareCore):
    local_rack: str | None
