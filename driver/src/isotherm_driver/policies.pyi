# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Container, Iterable, Iterator
from threading import Lock
from typing import Any

from cassandra import policies as driver
from cassandra.metadata import Metadata
from cassandra.pool import Host

class _Listing:
    _hosts_lock: Lock
    _position: int
    def populate(self, cluster: Any, hosts: Iterable[Host]) -> None: ...
    def distance(self, host: Host) -> int: ...
    def make_query_plan(self, working_keyspace: str | None = None, query: Any = None) -> Iterator[Host]: ...
    def make_query_plan_with_exclusion(
        self, working_keyspace: str | None = None, query: Any = None, excluded: Container[Host] = ()
    ) -> Iterator[Host]: ...
    def on_up(self, host: Host) -> None: ...
    def on_down(self, host: Host) -> None: ...
    def on_add(self, host: Host) -> None: ...
    def on_remove(self, host: Host) -> None: ...

class _Wrapping:
    _hosts_lock: Lock
    _child_policy: Any
    def make_query_plan(self, working_keyspace: str | None = None, query: Any = None) -> Iterator[Host]: ...
    def make_query_plan_with_exclusion(
        self, working_keyspace: str | None = None, query: Any = None, excluded: Container[Host] = ()
    ) -> Iterator[Host]: ...

class RoundRobinPolicy(_Listing, driver.RoundRobinPolicy):
    _live_hosts: frozenset[Host]
    def __init__(self) -> None: ...

class DCAwareRoundRobinPolicy(_Listing, driver.DCAwareRoundRobinPolicy):
    local_dc: str | None
    used_hosts_per_remote_dc: int
    def __init__(self, local_dc: str | None = "", used_hosts_per_remote_dc: int = 0) -> None: ...

class RackAwareRoundRobinPolicy(_Listing, driver.RackAwareRoundRobinPolicy):
    local_dc: str
    local_rack: str
    used_hosts_per_remote_dc: int
    def __init__(self, local_dc: str, local_rack: str, used_hosts_per_remote_dc: int = 0) -> None: ...

class WhiteListRoundRobinPolicy(RoundRobinPolicy, driver.WhiteListRoundRobinPolicy):
    def __init__(self, hosts: Iterable[Any]) -> None: ...

class TokenAwarePolicy(_Wrapping, driver.TokenAwarePolicy):
    shuffle_replicas: bool
    _cluster_metadata: Metadata
    _prefer_tablet_leader: bool
    def __init__(
        self,
        child_policy: driver.LoadBalancingPolicy,
        shuffle_replicas: bool = ...,
        _prefer_tablet_leader: bool = True,
        cache_replicas_size: int = 1024,
    ) -> None: ...

class HostFilterPolicy(_Wrapping, driver.HostFilterPolicy):
    def __init__(self, child_policy: driver.LoadBalancingPolicy, predicate: Callable[[Host], object]) -> None: ...
    @property
    def predicate(self) -> Callable[[Host], object]: ...

class DefaultLoadBalancingPolicy(_Wrapping, driver.DefaultLoadBalancingPolicy):
    _cluster_metadata: Metadata
    def __init__(self, child_policy: driver.LoadBalancingPolicy) -> None: ...

def __getattr__(name: str) -> Any: ...
