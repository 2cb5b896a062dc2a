# SPDX-License-Identifier: Apache-2.0
"""Fair shares of reads: of one hot partition, of two, and of one whose reads are few and costly.

`one` is read by the hot client of the limit. `two` are two partitions as large, each read by a client half as hot. A
read of the `costly` one has a hundred times the data of a read of the background, and its client sends a tenth as many
as the background, evenly spaced: no limit in reads per second would take it for the hot one. The disk is then faster,
so that the read ends within its timeout.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.hot_partition import clients, fair
from isotherm_lab.experiments.hot_partition.plan import Plan
from isotherm_lab.load.closed_load import ClosedLoadSettings
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.progress import Listener

ONE, TWO, COSTLY = "one", "two", "costly"
#: Where the hot clients' requests are recorded, beside those of the run with a limit.
_RECORDS = {ONE: ("hot-fair",), TWO: ("hot-fair-first", "hot-fair-second"), COSTLY: ("hot-fair-costly",)}


def measure(
    cluster: Cluster, plan: Plan, output: Path, background: LoadProcess, told: Listener, watch: fair.Watch
) -> dict[str, fair.FairMoments]:
    """Let the hot clients of each variant come and go under the same background; the costly one without shares too."""
    moments = {
        name: fair.measure(cluster, plan, background, hot(cluster, plan, output, name), told, watch)
        for name in (ONE, TWO)
    }
    costly = hot(cluster, plan, output, COSTLY)
    fair.switch(cluster, "off")
    cluster.order("disk", "slow")
    unshared = fair.measure_without(plan, background, costly, told, watch)
    with_shares = fair.measure(cluster, plan, background, costly, told, watch)
    return moments | {COSTLY: replace(with_shares, unshared=unshared)}


def hot(cluster: Cluster, plan: Plan, output: Path, name: str) -> list[ClosedLoadSettings]:
    """Return the hot clients of a variant."""
    first = plan.data.hot_key + (2 if name == COSTLY else 0)
    per_s = plan.costly_per_s if name == COSTLY else 0.0
    directories = [output / records for records in _RECORDS[name]]
    return [
        clients.reader(cluster, plan, directory, key, len(directories), per_s)
        for key, directory in enumerate(directories, first)
    ]


def conclude(
    moments: dict[str, fair.FairMoments], background: np.ndarray, output: Path, nodes: Mapping[str, NodeCounters]
) -> dict[str, Any]:
    """Return the phases of each variant."""
    return {
        name: fair.conclude(each, background, [output / records for records in _RECORDS[name]], nodes)
        for name, each in moments.items()
    }
