# SPDX-License-Identifier: Apache-2.0
"""How many counter updates a second two clusters can do, all nodes well: saturated one at a time, in short turns.

No disk takes part: it is the processors' time that an update costs.
"""

from collections.abc import Mapping

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.data.counter_table import UPDATE
from isotherm_lab.experiments.slow_leader.plan import DISCARDED_S, SATURATED_WARM_UP_S, WINDOW_S
from isotherm_lab.load.closed_loop import ClosedLoop
from isotherm_lab.load.collector import no_collections
from isotherm_lab.load.pipeline import Pipeline
from isotherm_lab.load.windows import Window, WindowedLoad
from isotherm_lab.measure.paired import counterbalanced
from isotherm_lab.measure.processor_use import ProcessorUse

#: Updates in flight at each coordinator: enough to keep the processors busy, and fewer than a leader has threads.
IN_FLIGHT = 16
_KEYS_AHEAD = 20_000


def measure(clusters: Mapping[str, Cluster], blocks: int, keys: int, seed: int) -> dict[str, list[Window]]:
    """Return each cluster's windows, two a block; what they add to the counters is in nobody's account."""
    loads = {name: _load(cluster, keys, seed) for name, cluster in clusters.items()}
    windows: dict[str, list[Window]] = {name: [] for name in clusters}
    try:
        with no_collections():
            for load in loads.values():
                load.window(SATURATED_WARM_UP_S, 0)
            for _ in range(blocks):
                for name in counterbalanced(list(clusters)):
                    windows[name].append(loads[name].window(WINDOW_S, DISCARDED_S))
    finally:
        for load in loads.values():
            load.close()
    return windows


def _load(cluster: Cluster, keys: int, seed: int) -> WindowedLoad:
    source = np.random.default_rng(seed)
    pipelines = [
        Pipeline.of_statement(address, UPDATE, "QUORUM", IN_FLIGHT, source.integers(0, keys, _KEYS_AHEAD))
        for address in cluster.contact_points()
    ]
    usage = ProcessorUse([node.identity.pid for node in cluster.nodes])
    return WindowedLoad(ClosedLoop(pipelines, IN_FLIGHT), usage.seconds)
