# SPDX-License-Identifier: Apache-2.0
"""Why a policy offers which hosts in which order, for one statement."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cassandra.policies import DefaultLoadBalancingPolicy, HostDistance

from isotherm_driver.hosts.round_robin import lists_natively
from isotherm_driver.installed_driver import LOCAL_RACK
from isotherm_driver.queue_aware_order import QueueAwareOrder
from isotherm_driver.routing.fallback import located, without_ring
from isotherm_driver.routing.stable_order import may_shuffle

__all__ = ["Choice", "Explanation", "explain"]


@dataclass(frozen=True)
class Choice:
    """A host of a plan, and why it stands where it does."""

    host: Any
    because: tuple[str, ...]

    def __str__(self) -> str:
        return f"{getattr(self.host, 'endpoint', self.host)}: {', '.join(self.because)}"


@dataclass(frozen=True)
class Explanation:
    """The hosts of one plan, the first choice first."""

    choices: tuple[Choice, ...]

    def __str__(self) -> str:
        return "\n".join(f"{number}. {choice}" for number, choice in enumerate(self.choices, start=1)) or "no host"

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)


def explain(policy: Any, query: Any = None, keyspace: str | None = None) -> Explanation:
    """The hosts that a policy offers for a statement, in order, each with the reasons.

    `keyspace` is the session's, for a statement that names none. This makes one plan, as a request does: the next one
    begins a host later, and shuffled replicas come in another order.

    >>> from uuid import UUID
    >>> from cassandra.policies import SimpleConvictionPolicy
    >>> from cassandra.pool import Host
    >>> from isotherm_driver.policies import DCAwareRoundRobinPolicy
    >>> policy = DCAwareRoundRobinPolicy("dc1", used_hosts_per_remote_dc=1)
    >>> for number, dc in enumerate(["dc1", "dc2"], start=1):
    ...     host = Host(f"10.0.0.{number}", SimpleConvictionPolicy, dc, "r1", host_id=UUID(int=number))
    ...     policy.on_add(host)
    >>> print(explain(policy))
    1. 10.0.0.1:9042: local datacenter, in its turn
    2. 10.0.0.2:9042: remote datacenter dc2, in its turn
    """
    plan = tuple(policy.make_query_plan(keyspace, query))
    reasons = _Reasons(policy, query, keyspace, plan)
    return Explanation(tuple(Choice(host, tuple(reasons.of(host))) for host in plan))


def _chain(policy: Any) -> Iterator[Any]:
    while policy is not None:
        yield policy
        policy = getattr(policy, "_child_policy", None)


def _named_by(policy: Any, query: Any) -> Any:
    """The host that the query names, where a policy puts it first; None where it is down or unknown."""
    address = getattr(query, "target_host", None)
    if address is not None:
        for each in _chain(policy):
            if isinstance(each, DefaultLoadBalancingPolicy) and each._cluster_metadata is not None:
                host = each._cluster_metadata.get_host(address)
                return host if host is not None and host.is_up else None
    return None


class _Reasons:
    """What is known of the hosts that a policy may offer for a statement."""

    def __init__(self, policy: Any, query: Any, keyspace: str | None, plan: tuple[Any, ...]):
        self._policy = policy
        self._query = query
        self._plan = plan
        self._target = _named_by(policy, query)
        self._token_aware: Any = next((each for each in _chain(policy) if hasattr(each, "shuffle_replicas")), None)
        self._is_native = self._token_aware is not None and lists_natively(self._token_aware._child_policy)
        keyspace = (query.keyspace if query is not None else None) or keyspace
        self._replicas: Any = ()
        self._host_ids: Any = ()
        self._leading_id = None
        self._own: Any = ()
        order = getattr(self._token_aware, "_arrange", None)
        self._order = order if isinstance(order, QueueAwareOrder) else None
        self._has_datacenters = any(hasattr(each, "local_dc") for each in _chain(policy))
        self._is_known = True
        if keyspace and self._is_by_token():
            try:
                self._locate(keyspace)
            except Exception:  # a release of the driver that is not as known: the plan is that of the driver's policy
                self._is_known = False

    def _is_by_token(self) -> bool:
        """Whether replicas are looked up; without, a plan is the child's."""
        return (
            self._token_aware is not None
            and self._query is not None
            and self._query.routing_key is not None
            and not without_ring(self._token_aware._cluster_metadata)
        )

    def _locate(self, keyspace: str) -> None:
        replicas, host_ids, leading_id = located(self._token_aware, keyspace, self._query)
        first = next((host for host in self._plan if host is not self._target), None)
        # One that is down, or whose datacenter is ignored, leads nothing.
        self._leading_id = leading_id if getattr(first, "host_id", None) == leading_id else None
        if self._order is not None:
            self._own = self._order.reading_coordinators(self._token_aware, keyspace, self._query)
        self._replicas, self._host_ids = replicas or (), host_ids or ()

    def of(self, host: Any) -> Iterator[str]:
        if self._target is not None and host == self._target:
            yield "named by the query"
        yield self._where(host)
        if not self._is_known:
            yield "in the order of the driver's own policy, whose metadata are not as known"
        elif host in self._replicas or getattr(host, "host_id", None) in self._host_ids:
            yield from self._as_replica(host)
        else:
            yield "in its turn" if self._token_aware is None or not self._is_routed() else "no replica, in its turn"

    def _is_routed(self) -> bool:
        return bool(self._replicas or self._host_ids)

    def _where(self, host: Any) -> str:
        distance = self._policy.distance(host)
        if distance == HostDistance.IGNORED:
            return "ignored by the policy otherwise"
        if distance == HostDistance.REMOTE:
            return f"remote datacenter {host.datacenter}"
        if distance == LOCAL_RACK and LOCAL_RACK != HostDistance.LOCAL:
            return "local rack"
        return "local datacenter" if self._has_datacenters else "local"

    def _as_replica(self, host: Any) -> Iterator[str]:
        yield "replica"
        leads = self._leading_id is not None and host.host_id == self._leading_id
        if leads:
            yield "leader of the tablet"
        if not may_shuffle(self._query):
            yield f"{self._unshuffled()} because of a lightweight transaction or a serial read"
            return
        if any(host is each for each in self._own):
            yield "reads the partition itself"
        if self._order is not None:
            local = self._policy.distance(host) in (LOCAL_RACK, HostDistance.LOCAL)
            yield from self._order.busy_reasons(host, later=self._is_native and local and not leads)
        elif not self._token_aware.shuffle_replicas:
            yield self._unshuffled()

    def _unshuffled(self) -> str:
        """In which order replicas come that are not shuffled."""
        if not self._host_ids:
            return "in the ring's order"
        # Those of a tablet come as the child has them, but where this package orders them behind a leader or stably.
        stable = self._leading_id is not None or not may_shuffle(self._query)
        return "in the tablet's order" if self._is_native and stable else "in the child's order"
