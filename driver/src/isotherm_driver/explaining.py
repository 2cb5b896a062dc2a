# SPDX-License-Identifier: Apache-2.0
"""Why a policy offers which hosts in which order, for one statement."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cassandra.policies import HostDistance

from isotherm_driver.installed_driver import LOCAL_RACK
from isotherm_driver.queue_aware_order import QueueAwareOrder
from isotherm_driver.routing.fallback import located
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
    reasons = _Reasons(policy, query, keyspace)
    return Explanation(tuple(Choice(host, tuple(reasons.of(host))) for host in plan))


def _chain(policy: Any) -> Iterator[Any]:
    while policy is not None:
        yield policy
        policy = getattr(policy, "_child_policy", None)


class _Reasons:
    """What is known of the hosts that a policy may offer for a statement."""

    def __init__(self, policy: Any, query: Any, keyspace: str | None):
        self._policy = policy
        self._query = query
        self._target = getattr(query, "target_host", None)
        self._token_aware: Any = next((each for each in _chain(policy) if hasattr(each, "shuffle_replicas")), None)
        keyspace = (query.keyspace if query is not None else None) or keyspace
        self._replicas: Any = ()
        self._host_ids: Any = ()
        self._leading_id = None
        self._own: Any = ()
        order = getattr(self._token_aware, "_arrange", None)
        self._order = order if isinstance(order, QueueAwareOrder) else None
        self._has_datacenters = any(hasattr(each, "local_dc") for each in _chain(policy))
        self._is_known = True
        if self._token_aware is not None and query is not None and query.routing_key is not None and keyspace:
            try:
                self._locate(keyspace)
            except Exception:  # a release of the driver that is not as known: the plan is that of the driver's policy
                self._is_known = False

    def _locate(self, keyspace: str) -> None:
        replicas, host_ids, self._leading_id = located(self._token_aware, keyspace, self._query)
        if self._order is not None:
            self._own = self._order.reading_coordinators(self._token_aware, keyspace, self._query)
        self._replicas, self._host_ids = replicas or (), host_ids or ()

    def of(self, host: Any) -> Iterator[str]:
        if self._target is not None and host.address == self._target:
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
        if self._leading_id is not None and host.host_id == self._leading_id:
            yield "leader of the tablet"
        if not may_shuffle(self._query):
            yield "in the ring's order because of a lightweight transaction or a serial read"
            return
        if any(host is each for each in self._own):
            yield "reads the partition itself"
        if self._order is not None:
            yield from self._order.busy_reasons(host)
        elif not self._token_aware.shuffle_replicas:
            yield "in the ring's order"
