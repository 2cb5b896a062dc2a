# SPDX-License-Identifier: Apache-2.0
"""Hot writes: a partition is written to so often that all writes wait for a thread, and fair shares bring them back.

RF 3, ALL. A write holds a thread of each replica for a while, as if what it is applied to were slow, so that the
processors have little to do. Both clients write one row at a time.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.hot_partition import clients, fair
from isotherm_lab.experiments.hot_partition.plan import Plan
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.progress import Listener

NAME = "writes"
#: Where the requests are recorded: of the background, and of the hot client.
WRITERS, HOT_WRITES = "writers", "hot-writes"


def measure(cluster: Cluster, plan: Plan, output: Path, told: Listener, watch: fair.Watch) -> fair.FairMoments:
    """Let the hot writer come without shares, and then with them, under the same background of writes."""
    cluster.order("writes", str(plan.write_ms))
    fair.switch(cluster, "off")
    hot = [clients.writer(cluster, plan, output / HOT_WRITES, plan.data.hot_key)]
    with LoadProcess(clients.writer(cluster, plan, output / WRITERS)) as background:
        background.wait_until_sending()
        told.step("writes, settling", plan.settle_s)
        watch(plan.settle_s, told, background)
        unshared = fair.measure_without(plan, background, hot, told, watch)
        moments = fair.measure(cluster, plan, background, hot, told, watch)
        background.stop()
    return replace(moments, unshared=unshared)


def conclude(moments: fair.FairMoments, output: Path, nodes: Mapping[str, NodeCounters]) -> dict[str, Any]:
    """Return each phase with shares, and what was written without them."""
    return fair.conclude(moments, samples.read(output / WRITERS / samples.FILE), [output / HOT_WRITES], nodes)
