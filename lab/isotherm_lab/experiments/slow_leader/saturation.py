# SPDX-License-Identifier: Apache-2.0
"""How many counter updates a second two clusters can do, all nodes well: saturated one at a time, in short turns.

No disk takes part: it is the processors' time that an update costs.
"""

import gc
from collections.abc import Mapping

import numpy as np
import psutil

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.data.counter_table import UPDATE
from isotherm_lab.load.closed_loop import ClosedLoop, Lane, Window
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.measure.paired import there_and_back

#: Updates in flight at each coordinator: enough to keep the processors busy, and fewer than a leader has threads.
IN_FLIGHT = 16
WINDOW_S, DISCARDED_S = 1.1, 0.2
#: The way of an update from a bare connection is compiled before anything is measured.
_WARM_UP_S = 3.0
_KEYS_AHEAD = 20_000


def expected_s(blocks: int, variants: int) -> float:
    """Return about how long a comparison takes."""
    return variants * (_WARM_UP_S + 2 * blocks * (WINDOW_S + 0.05)) if blocks else 0.0


def measure(clusters: Mapping[str, Cluster], blocks: int, keys: int, seed: int) -> dict[str, list[Window]]:
    """Return each cluster's windows, two a block; what they add to the counters is in nobody's account."""
    loops = {name: _loop(cluster, keys, seed) for name, cluster in clusters.items()}
    windows: dict[str, list[Window]] = {name: [] for name in clusters}
    gc.collect()
    gc.disable()
    try:
        for loop in loops.values():
            loop.window(_WARM_UP_S, 0)
        for _ in range(blocks):
            for name in there_and_back(list(clusters)):
                windows[name].append(loops[name].window(WINDOW_S, DISCARDED_S))
    finally:
        gc.enable()
        for loop in loops.values():
            loop.close()
    return windows


def _loop(cluster: Cluster, keys: int, seed: int) -> ClosedLoop:
    processes = [psutil.Process(node.identity.pid) for node in cluster.nodes]
    source = np.random.default_rng(seed)
    lanes = []
    for address in cluster.contact_points():
        lane = Lane(CqlConnection(address, CQL_PORT), IN_FLIGHT, source.integers(0, keys, _KEYS_AHEAD))
        lane.prepare(lane.connection.prepare(UPDATE, "QUORUM"))
        lanes.append(lane)

    def cpu_seconds() -> float:
        times = [process.cpu_times() for process in processes]
        return sum(each.user + each.system for each in times)

    return ClosedLoop(lanes, cpu_seconds)
