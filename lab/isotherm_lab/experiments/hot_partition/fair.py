# SPDX-License-Identifier: Apache-2.0
"""A hot partition without a limit, under fair shares: before it, under it, and after its client has stopped."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.experiments.hot_partition import observed
from isotherm_lab.experiments.hot_partition.plan import BACKGROUND, HOT, RECOVERY_S, Plan
from isotherm_lab.load.closed_load import REJECTED, ClosedLoadSettings
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure.completions import completions, rate
from isotherm_lab.progress import Listener

#: Where the hot client's requests are recorded, beside those of the run with a limit.
RECORDS = "hot-fair"
AFTER = "after"
#: The promise: the background reads this much of usual again.
ENOUGH = 0.8
_SETTING = "UPDATE isotherm.settings SET value = '{}' WHERE name = 'limit.fair_share'"


@dataclass(frozen=True)
class FairMoments:
    """What happened when, in seconds since the epoch."""

    background_from: float
    hot_starts: float
    hot_stops: float
    end: float

    def phases(self) -> dict[str, tuple[float, float]]:
        """Return the measured stretch of each phase: from when the promise holds on."""
        return {
            BACKGROUND: (self.background_from, self.hot_starts),
            HOT: (self.hot_starts + RECOVERY_S, self.hot_stops),
            AFTER: (self.hot_stops + RECOVERY_S, self.end),
        }


def switch(cluster: Cluster, mode: str) -> None:
    """Switch fair shares `on` or `off` on all nodes."""
    for address in cluster.contact_points():
        control = CqlConnection(address, CQL_PORT)
        control.query(_SETTING.format(mode))
        control.close()


def measure(
    cluster: Cluster,
    plan: Plan,
    background: LoadProcess,
    hot_client: ClosedLoadSettings,
    told: Listener,
    watch: Callable[..., None],
) -> FairMoments:
    """Switch fair shares on, and let the hot client come and go under the same background."""
    switch(cluster, "on")
    told.step("fair shares, settling", plan.settle_s)
    watch(plan.settle_s, told, background)
    told.step("fair shares, background", plan.phase_s)
    background_from = time.time()
    watch(plan.phase_s, told, background)
    told.step("fair shares, hot", plan.limited_s)
    hot_starts = time.time()
    with LoadProcess(hot_client) as hot:
        hot.wait_until_sending()
        watch(hot_starts + plan.limited_s - time.time(), told, background, hot)
        hot.stop()
    hot_stops = time.time()
    told.step("fair shares, after", RECOVERY_S + plan.settle_s)
    watch(RECOVERY_S + plan.settle_s, told, background)
    end = time.time()
    watch(1.5, told, background)
    return FairMoments(background_from, hot_starts, hot_stops, end)


def conclude(moments: FairMoments, background: np.ndarray, hot: np.ndarray) -> dict[str, Any]:
    """Return each phase, and seconds from the hot client's start to when the background was back for good."""
    phases = [
        {"name": name}
        | observed.clients(begin, end, background, hot)
        | {"background_rejected_per_s": round(rate(completions(background, REJECTED), begin, end), 2)}
        | {"from_s": round(begin - moments.hot_starts, 2), "to_s": round(end - moments.hot_starts, 2)}
        for name, (begin, end) in moments.phases().items()
    ]
    return {
        "recovered_s": observed.recovered_s(
            background, phases[0]["background_per_s"], moments.hot_starts, moments.hot_stops, ENOUGH
        ),
        "phases": phases,
    }
