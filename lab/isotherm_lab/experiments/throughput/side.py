# SPDX-License-Identifier: Apache-2.0
"""One of the two clusters that are compared, under load from connections that stay open."""

from collections.abc import Mapping
from itertools import count, cycle

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.orders import order_all
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import row_table
from isotherm_lab.experiments.throughput.plan import (
    AFFINITY,
    AGAIN,
    FAIR,
    LOCAL,
    NOTHING,
    OFF,
    UNPLUGGED,
    UNPLUGGED_AGAIN,
    Phase,
    Plan,
)
from isotherm_lab.load.closed_loop import ClosedLoop
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.load.pipeline import KeyedRequests, Pipeline, Requests, key_bytes
from isotherm_lab.load.windows import Window, WindowedLoad
from isotherm_lab.measure.processor_use import ProcessorUse
from isotherm_lab.measure.thread_use import ThreadUse

#: What a window sets on the nodes with the plugin.
_ALL_ON = {
    "heat.enabled": "true",
    "heat.placement": "local",
    "limit.fair_share": "off",
    **dict.fromkeys(("guard.enabled", "limit.enabled", "queue.enabled", "warming.enabled"), "true"),
}
_ALL_OFF = {name: "false" if value == "true" else value for name, value in _ALL_ON.items()}
SWITCHES: Mapping[str, Mapping[str, str]] = {
    OFF: _ALL_ON | {"heat.enabled": "false"},
    LOCAL: _ALL_ON,
    AGAIN: _ALL_ON,
    AFFINITY: _ALL_ON | {"heat.placement": "affinity"},
    FAIR: _ALL_ON | {"limit.fair_share": "on"},
    NOTHING: _ALL_OFF,
    UNPLUGGED: _ALL_OFF,
    UNPLUGGED_AGAIN: _ALL_OFF,
}
#: One read of a key never written in so many that node 3 coordinates: about 3 % of the reads it serves, of which it
#: has two thirds of all at QUORUM and one third at ONE.
_ABSENT_EVERY = {"QUORUM": 16, "ONE": 32}
_KEYS_AHEAD = 50_000
_SELECT = row_table.select_from(row_table.TABLE)


class WithAbsentKeys:
    """Requests of which each `every`-th is one for a key never written."""

    def __init__(self, reads: Requests, absent: Requests, every: int):
        self._reads = reads
        self._absent = absent
        self._every = self._until_absent = every

    def next(self, stream: int) -> bytes:
        """Return the next request."""
        self._until_absent -= 1
        if self._until_absent:
            return self._reads.next(stream)
        self._until_absent = self._every
        return self._absent.next(stream)


class Side:
    """A cluster, who loads it, and who asks it in between."""

    def __init__(self, cluster: Cluster, plan: Plan):
        self.cluster = cluster
        self.plugin = variant(cluster.variants[0]).plugin
        # Apart from those under load: a question in between must not meet a read's answer.
        self._asking = [CqlConnection(address, CQL_PORT) for address in cluster.contact_points()]
        self._pipelines = [
            Pipeline(CqlConnection(address, CQL_PORT), plan.in_flight_per_node) for address in cluster.contact_points()
        ]
        source = np.random.default_rng(plan.seed)
        self._keys = [
            cycle(key_bytes(source.integers(0, plan.data.keys, _KEYS_AHEAD))) for _ in cluster.contact_points()
        ]
        #: What was set by name.
        self._set: dict[str, str] = {}
        self._unplugged = False
        #: Each is asked for once: a second read would find it in the cache.
        self._absent_keys = key_bytes(count(2**40))
        pids = [node.identity.pid for node in cluster.nodes]
        self.threads = ThreadUse(pids)
        usage = ProcessorUse(pids)
        self._load = WindowedLoad(ClosedLoop(self._pipelines, plan.in_flight_per_node), usage.seconds)

    def prepare(self, phase: Phase) -> None:
        """Have every connection send the reads of this phase."""
        for pipeline, keys in zip(self._pipelines, self._keys, strict=True):
            prepared = pipeline.connection.prepare(_SELECT, phase.consistency)
            pipeline.requests = KeyedRequests(prepared, pipeline.streams, keys)
        if phase.heat_differs:
            last = self._pipelines[-1]
            absent = KeyedRequests(last.connection.prepare(_SELECT, "ONE"), last.streams, self._absent_keys)
            last.requests = WithAbsentKeys(last.requests, absent, _ABSENT_EVERY[phase.consistency])

    def switch(self, competitor: str) -> None:
        """Set what the competitor's name says on every node."""
        if not self.plugin:
            return
        unplugged = competitor in (UNPLUGGED, UNPLUGGED_AGAIN)
        if unplugged != self._unplugged:
            order_all(self.cluster.nodes, "plug", "out" if unplugged else "in")
            self._unplugged = unplugged
        for name, value in SWITCHES[competitor].items():
            if self._set.get(name) != value:
                for node in self._asking:
                    node.query(f"UPDATE isotherm.settings SET value = '{value}' WHERE name = '{name}'")
                self._set[name] = value

    def drawn(self) -> int:
        """Return how many reads were balanced since the nodes started."""
        if not self.plugin:
            return 0
        statement = "SELECT value FROM isotherm.counts WHERE name = 'BalancedReads'"
        return sum(node.bigint(statement) for node in self._asking)

    def window(self, seconds: float, discarded_s: float) -> Window:
        """Load this cluster for that long."""
        return self._load.window(seconds, discarded_s)

    def close(self) -> None:
        """Close the connections."""
        self._load.close()
        for connection in self._asking:
            connection.close()
