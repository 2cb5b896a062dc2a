# SPDX-License-Identifier: Apache-2.0
"""The coordinators that serve a read themselves under affinity placement."""

from collections.abc import Callable
from typing import Any

from cassandra import ConsistencyLevel

from isotherm_driver.affinity.shares import shares
from isotherm_driver.affinity.splitmix64 import point_of
from isotherm_driver.affinity.statements import table_of
from isotherm_driver.affinity.systematic_sampling import systematic_sample
from isotherm_driver.hosts.address import address_of
from isotherm_driver.hosts.liveness import is_worth_a_try

_CONTACTED = {
    ConsistencyLevel.ONE: 1,
    ConsistencyLevel.LOCAL_ONE: 1,
    ConsistencyLevel.TWO: 2,
    ConsistencyLevel.THREE: 3,
}


class ReadingCoordinators:
    """The replicas that any coordinator reads a partition from: one of them, as coordinator, reads from itself.

    `miss_ratios` tells the misses per read of each of some hosts for a keyspace and table, None where it does not know
    them all; without it, heat counts as equal. `consistency_level` is that of statements that state none.
    """

    def __init__(self, miss_ratios: Callable[[str, str, list[Any]], list[float] | None] | None, consistency_level: int):
        self._miss_ratios = miss_ratios
        self._consistency_level = consistency_level

    def places(self, order: Any, keyspace: str, query: Any, token: int) -> int:
        """The places of these replicas in the order, a bit for each; 0 where all are as good."""
        replicas = order.replicas
        if order.by_address is None:
            order.by_address = sorted(range(order.local_end), key=lambda place: address_of(replicas[place]))
        places = [place for place in order.by_address if is_worth_a_try(replicas[place])]
        contacted = self._contacted(query, order)
        if contacted is None or contacted >= len(places):
            return 0
        found = self._shares(keyspace, query, [replicas[place] for place in places], contacted)
        return sum([1 << places[i] for i in systematic_sample(point_of(token), found, contacted)])

    def _shares(self, keyspace: str, query: Any, hosts: list[Any], contacted: int) -> list[float]:
        """The share of the contacts each host gets: by heat where all of them published it, else equal ones."""
        if self._miss_ratios is not None:
            table = table_of(query)
            ratios = self._miss_ratios(keyspace, table, hosts) if table else None
            if ratios is not None:
                return shares(ratios, contacted)
        return [1 / len(hosts)] * len(hosts)

    def _contacted(self, query: Any, order: Any) -> int | None:
        """How many replicas a coordinator reads from; None for levels affinity does not concern."""
        level = query.consistency_level
        if level is None:
            level = self._consistency_level
        if level == ConsistencyLevel.LOCAL_QUORUM:
            return int(order.local_end) // 2 + 1
        if level == ConsistencyLevel.QUORUM:
            return int(order.total) // 2 + 1
        return _CONTACTED.get(level)
