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
from isotherm_driver.affinity.statements import is_select
from isotherm_driver.busy.in_flight import PoolsInFlight
from isotherm_driver.busy.node_reports import NodeReports
from isotherm_driver.busy.order import BusyOrder
from isotherm_driver.policies import TokenAwarePolicy

__all__ = ["HotPartitions", "QueueAwarePolicy"]

log = logging.getLogger(__name__)


class QueueAwarePolicy(TokenAwarePolicy):
    """Token-aware, replicas that are busy later; with `affinity`, the replica that serves the read itself first.

    `in_flight` tells the requests in flight to a host, None where unknown; by default the driver's own connections are
    asked. `reports` holds what nodes with the plugin publish. `affinity` is for clusters whose placement is affinity:
    a SELECT of one partition then goes to a replica its coordinator reads from anyway, as `consistency_level` (of
    statements that state none) makes it, unless the partition is hot: a hot one is spread over its replicas.
    Statements whose replicas must come in a stable order (LWT, serial reads) keep it.
    """

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
        depth_of, miss_ratios = (None, None) if reports is None else (reports.depth_of, reports.miss_ratios)
        self._coordinators = ReadingCoordinators(miss_ratios, consistency_level) if affinity else None
        self._hot = hot_partitions or HotPartitions()
        self.failures = 0  # plans that took the order of TokenAwarePolicy because this one's rule threw
        seed = (random or standard_random.Random()).getrandbits(64)

        def busy_order(of_cluster: Any) -> BusyOrder:
            return BusyOrder(in_flight or PoolsInFlight(of_cluster), depth_of, soft_limit, node_soft_limit, seed)

        self._busy_order = busy_order

    def populate(self, cluster: Any, hosts: Any) -> None:
        super().populate(cluster, hosts)
        self._busy = self._busy_order(cluster)
        self._arrange = self._arranged

    def _arranged(self, order: Any, keyspace: str, query: Any, token: int) -> bytes | None:
        """The places of the order's replicas in the order they are to be offered in; None for any."""
        try:
            first = 0
            coordinators = self._coordinators
            if coordinators is not None and order.local_end > 1 and is_select(query) and not self._hot.is_hot(token):
                first = coordinators.places(order, keyspace, query, token)
            return self._busy.places(order, first, bool(self.shuffle_replicas))
        except Exception:
            self.failures += 1
            if self.failures & (self.failures - 1) == 0:  # the 1st, 2nd, 4th, 8th ...
                log.exception("Ordering replicas failed %d times; the plans went on as without it", self.failures)
            return None
