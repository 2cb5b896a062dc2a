# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from isotherm_driver.drivers_types import Cluster, Host, Policy, Query
from isotherm_driver.hosts.filtering import HostFilterCore
from isotherm_driver.hosts.round_robin import DCAwareCore, RackAwareCore, RoundRobinCore
from isotherm_driver.hosts.targeting import TargetCore
from isotherm_driver.routing.token_aware import TokenAwareCore

# What the policies inherit of the drivers' ones. Those have no types, so that none of them can be a base class here.
class _DriversPolicy:
    def check_supported(self) -> None: ...
    def populate(self, cluster: Cluster, hosts: Iterable[Host]) -> None: ...
    def distance(self, host: Host) -> int: ...
    def make_query_plan(self, working_keyspace: str | None = None, query: Query = None) -> Iterator[Host]: ...
    def on_up(self, host: Host) -> None: ...
    def on_down(self, host: Host) -> None: ...
    def on_add(self, host: Host) -> None: ...
    def on_remove(self, host: Host) -> None: ...

class RoundRobinPolicy(RoundRobinCore, _DriversPolicy):
    def __init__(self) -> None: ...

class DCAwareRoundRobinPolicy(DCAwareCore, _DriversPolicy):
    _endpoints: list[Any] | None
    def __init__(self, local_dc: str | None = "", used_hosts_per_remote_dc: int = 0) -> None: ...

class RackAwareRoundRobinPolicy(RackAwareCore, _DriversPolicy):
    local_dc: str
    local_rack: str
    _endpoints: list[Any]
    def __init__(self, local_dc: str, local_rack: str, used_hosts_per_remote_dc: int = 0) -> None: ...

class WhiteListRoundRobinPolicy(RoundRobinPolicy):
    _allowed_hosts: tuple[Any, ...]
    _allowed_hosts_resolved: list[str]
    def __init__(self, hosts: Iterable[Any]) -> None: ...

class TokenAwarePolicy(TokenAwareCore, _DriversPolicy):
    def __init__(
        self,
        child_policy: Policy,
        shuffle_replicas: bool = ...,
        _prefer_tablet_leader: bool = True,
        **more: Any,
    ) -> None: ...

class HostFilterPolicy(HostFilterCore, _DriversPolicy):
    _predicate: Callable[[Host], object]
    def __init__(self, child_policy: Policy, predicate: Callable[[Host], object]) -> None: ...
    @property
    def predicate(self) -> Callable[[Host], object]: ...

class DefaultLoadBalancingPolicy(TargetCore, _DriversPolicy):
    def __init__(self, child_policy: Policy) -> None: ...

def __getattr__(name: str) -> Any: ...
