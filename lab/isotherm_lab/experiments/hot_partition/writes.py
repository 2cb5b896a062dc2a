# SPDX-License-Identifier: Apache-2.0
"""Hot writes: a partition is written to so often that all writes wait for a thread, and fair shares bring them back.

RF 3, ALL. A write holds a thread of each replica for a while, as if what it is applied to were slow, so that the
processors have little to do. Both clients write one row at a time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.data import partition_table
from isotherm_lab.experiments.hot_partition import fair, observed
from isotherm_lab.experiments.hot_partition.plan import HOT, Plan
from isotherm_lab.load.closed_load import ClosedLoadSettings
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure import samples
from isotherm_lab.progress import Listener

#: Where the requests are recorded: of the background, of the hot client without shares, and of it with shares.
WRITERS, UNSHARED, SHARED = "writers", "hot-writes", "hot-writes-fair"


@dataclass(frozen=True)
class WriteMoments:
    """What happened when; without shares the hot client is measured between two moments, in seconds since the epoch."""

    unshared_from: float
    unshared_to: float
    fair: fair.FairMoments


def measure(cluster: Cluster, plan: Plan, output: Path, told: Listener, watch: Callable[..., None]) -> WriteMoments:
    """Let the hot writer come without shares, and then with them, under the same background of writes."""
    cluster.order("writes", str(plan.write_ms))
    fair.switch(cluster, "off")
    with LoadProcess(_settings(cluster, plan, output, WRITERS)) as background:
        background.wait_until_sending()
        told.step("writes, settling", plan.settle_s)
        watch(plan.settle_s, told, background)
        told.step("hot writes without shares", plan.settle_s + plan.phase_s)
        with LoadProcess(_settings(cluster, plan, output, UNSHARED)) as hot:
            hot.wait_until_sending()
            watch(plan.settle_s, told, background, hot)
            unshared_from = time.time()
            watch(plan.phase_s, told, background, hot)
            unshared_to = time.time()
            hot.stop()
        moments = fair.measure(cluster, plan, background, _settings(cluster, plan, output, SHARED), told, watch)
        background.stop()
    return WriteMoments(unshared_from, unshared_to, moments)


def conclude(moments: WriteMoments, output: Path) -> dict[str, Any]:
    """Return each phase with shares, and the part of usual that the background wrote without them."""
    background, unshared, shared = (
        samples.read(output / name / "requests.bin") for name in (WRITERS, UNSHARED, SHARED)
    )
    concluded = fair.conclude(moments.fair, background, shared)
    without = observed.clients(moments.unshared_from, moments.unshared_to, background, unshared)
    usual = concluded["phases"][0]["background_per_s"]
    return concluded | {
        "without_shares": {"name": HOT} | without,
        "under_hot": round(without["background_per_s"] / usual, 4) if usual else None,
    }


def _settings(cluster: Cluster, plan: Plan, output: Path, name: str) -> ClosedLoadSettings:
    hot = name != WRITERS
    return ClosedLoadSettings(
        contact_points=cluster.contact_points(),
        directory=str(output / name),
        statement=partition_table.insert(),
        in_flight_per_node=plan.background_per_node * (plan.hot_writes_factor if hot else 1),
        first_key=plan.data.hot_key if hot else 0,
        keys=1 if hot else plan.data.keys,
        seed=plan.seed + hot,
        pause_after_rejection_s=plan.pause_after_refused_write_s,
        consistency="ALL",
    )
