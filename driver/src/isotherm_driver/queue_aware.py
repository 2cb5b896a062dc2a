# SPDX-License-Identifier: Apache-2.0
"""A token-aware policy whose busy replicas come later.

A replica is busy when this process has `soft_limit` requests or more in flight to it, or when it published a queue of
`node_soft_limit` or more. A replica below its limit keeps its place, one above comes after those of its datacenter
that are below, the least busy first; what is unknown counts as idle. The rule follows what is in flight at this very
moment, so a slow host is filled up to its limit and then gets one request for each it answers: nothing that could
swing.
"""

import logging
import random as standard_random
from collections.abc import Callable
from typing import Any

from cassandra import ConsistencyLevel

from isotherm_driver.affinity.coordinators import ReadingCoordinators
from isotherm_driver.affinity.hot_partitions import HotPartitions
from isotherm_driver.busy.in_flight import PoolsInFlight
from isotherm_driver.busy.order import BusyOrder
from isotherm_driver.hosts.round_robin import lists_natively
from isotherm_driver.policies import TokenAwarePolicy
from isotherm_driver.queue_aware_order import QueueAwareOrder
from isotherm_driver.reports.node_reports import NodeReports

__all__ = ["HotPartitions", "QueueAwarePolicy"]

log: logging.Logger = logging.getLogger(__name__)


class QueueAwarePolicy(TokenAwarePolicy):
    """Token-aware, replicas that are busy later; with `affinity`, the replica that serves the read itself first.

    `in_flight` tells the requests in flight to a host, None where unknown; by default the driver's own connections are
    asked. `reports` holds what nodes with the plugin publish. `affinity` is for clusters whose placement is affinity:
    a SELECT of one partition then goes to a replica its coordinator reads from anyway, as `consistency_level` (of
    statements that state none) makes it, unless the partition is hot: a hot one is spread over its replicas.
    Statements whose replicas must come in a stable order (LWT, serial reads) keep it. The child is a round-robin policy
    of this package, by datacenter, by rack or plain: over any other one plans are those of `TokenAwarePolicy`.
    """

    _has_told_of_child: bool = False

    def __init__(
        self,
        child_policy: Any,
        shuffle_replicas: bool = True,
        *,
        soft_limit: int = 64,
        node_soft_limit: int = 100,
        in_flight: Callable[[Any], int | None] | None = None,
        reports: NodeReports | None = None,
        affinity: bool = False,
        consistency_level: int = ConsistencyLevel.LOCAL_ONE,
        hot_partitions: HotPartitions | None = None,
        random: standard_random.Random | None = None,
    ):
        super().__init__(child_policy, shuffle_replicas)
        if soft_limit < 1:
            raise ValueError(f"soft_limit is {soft_limit}, allowed: 1 or above")
        if node_soft_limit < 1:
            raise ValueError(f"node_soft_limit is {node_soft_limit}, allowed: 1 or above")
        coordinators = ReadingCoordinators(reports, consistency_level) if affinity else None
        hot = hot_partitions or HotPartitions()

        def order_of(cluster: Any, failures: int) -> QueueAwareOrder:
            # Drawn only now: processes that are forked before they populate the policy draw for themselves.
            seed = (random or standard_random.Random()).getrandbits(64)
            # Counters may be a container as well, and empty now.
            asked = PoolsInFlight(cluster) if in_flight is None else in_flight
            busy = BusyOrder(asked, reports, soft_limit, node_soft_limit, seed)
            return QueueAwareOrder(busy, coordinators, hot, failures)

        self._order_of = order_of

    def populate(self, cluster: Any, hosts: Any) -> None:
        """Begin with these hosts, and with the requests that this cluster's pools have in flight."""
        super().populate(cluster, hosts)
        self._arrange = self._order_of(cluster, self.failures)
        if not self._has_told_of_child and not lists_natively(self._child_policy):
            self._has_told_of_child = True  # a cluster populates the policy once for each profile that has it
            log.warning(
                "child_policy is %s, over which busy replicas keep their places: plans are those of TokenAwarePolicy; "
                "allowed: RoundRobinPolicy, DCAwareRoundRobinPolicy and RackAwareRoundRobinPolicy of "
                "isotherm_driver.policies, and subclasses that neither override nor patch make_query_plan, distance, "
                "the lists of hosts or the settings",
                _name_of(type(self._child_policy)),
            )

    @property
    def failures(self) -> int:
        """How many plans took the order of TokenAwarePolicy because this one's rule threw."""
        return 0 if self._arrange is None else int(self._arrange.failures)


def _name_of(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
