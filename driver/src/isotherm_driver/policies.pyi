# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Iterable
from typing import Any

from cassandra import policies as driver
from cassandra.pool import Host

from isotherm_driver.hosts.filtering import HostFilterCore
from isotherm_driver.hosts.round_robin import DCAwareCore, RackAwareCore, RoundRobinCore
from isotherm_driver.hosts.targeting import TargetCore
from isotherm_driver.routing.token_aware import TokenAwareCore

class RoundRobinPolicy(RoundRobinCore, driver.RoundRobinPolicy):
    def __init__(self) -> None: ...

class DCAwareRoundRobinPolicy(DCAwareCore, driver.DCAwareRoundRobinPolicy):
    def __init__(self, local_dc: str | None = "", used_hosts_per_remote_dc: int = 0) -> None: ...

class RackAwareRoundRobinPolicy(RackAwareCore, driver.RackAwareRoundRobinPolicy):
    local_dc: str
    local_rack: str
    def __init__(self, local_dc: str, local_rack: str, used_hosts_per_remote_dc: int = 0) -> None: ...

class WhiteListRoundRobinPolicy(RoundRobinPolicy, driver.WhiteListRoundRobinPolicy):
    def __init__(self, hosts: Iterable[Any]) -> None: ...

class TokenAwarePolicy(TokenAwareCore, driver.TokenAwarePolicy):
    def __init__(
        self,
        child_policy: driver.LoadBalancingPolicy,
        shuffle_replicas: bool = ...,
        _prefer_tablet_leader: bool = True,
        **more: Any,
    ) -> None: ...

class HostFilterPolicy(HostFilterCore, driver.HostFilterPolicy):
    def __init__(self, child_policy: driver.LoadBalancingPolicy, predicate: Callable[[Host], object]) -> None: ...
    @property
    def predicate(self) -> Callable[[Host], object]: ...

class DefaultLoadBalancingPolicy(TargetCore, driver.DefaultLoadBalancingPolicy):
    def __init__(self, child_policy: driver.LoadBalancingPolicy) -> None: ...

def __getattr__(name: str) -> Any: ...
