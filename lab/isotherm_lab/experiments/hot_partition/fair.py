# SPDX-License-Identifier: Apache-2.0
"""Hot partitions without a limit, under fair shares: before they are hot, while they are, and afterwards."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.experiments.hot_partition import observed
from isotherm_lab.experiments.hot_partition.plan import BACKGROUND, HOT, RECOVERY_S, Plan
from isotherm_lab.load.closed_load import REJECTED, ClosedLoadSettings
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.load.process import LoadProcess, all_sending
from isotherm_lab.measure import samples
from isotherm_lab.measure.completions import completions, rate
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.progress import Listener

AFTER = "after"
#: The promise: the background reads this much of usual again.
ENOUGH = 0.8
_SETTING = "UPDATE isotherm.settings SET value = '{}' WHERE name = 'limit.fair_share'"
#: Where the hot clients' requests are recorded in the time without shares, and when they come again.
_UNSHARED, _AGAIN = "-unshared", "-again"

#: Waits, saying how the background and the hot clients fare.
Watch = Callable[..., None]


@dataclass(frozen=True)
class FairMoments:
    """What happened when, in seconds since the epoch."""

    background_from: float
    #: When the background alone was measured long enough, and the hot clients' processes were started.
    background_to: float
    #: When the first of them sent its first request: a process takes a second or two to get there.
    hot_starts: float
    hot_stops: float
    end: float
    #: Between which two moments the hot clients were measured without shares; None if they were not.
    unshared: tuple[float, float] | None = None

    def phases(self) -> dict[str, tuple[float, float]]:
        """Return the measured stretch of each phase: from when the promise holds on."""
        return {
            BACKGROUND: (self.background_from, self.background_to),
            HOT: (self.hot_starts + RECOVERY_S, self.hot_stops),
            AFTER: (self.hot_stops + RECOVERY_S, self.end),
        }


def switch(cluster: Cluster, mode: str) -> None:
    """Switch fair shares `on` or `off` on all nodes."""
    for address in cluster.contact_points():
        control = CqlConnection(address, CQL_PORT)
        control.query(_SETTING.format(mode))
        control.close()


def unshared(settings: ClosedLoadSettings) -> ClosedLoadSettings:
    """Return the same client, recorded elsewhere: of the time without shares."""
    return replace(settings, directory=settings.directory + _UNSHARED)


def again(settings: ClosedLoadSettings, plan: Plan) -> ClosedLoadSettings:
    """Return the same client, recorded elsewhere, once it asks for little: none of it may be refused."""
    return replace(
        settings, directory=settings.directory + _AGAIN, per_s=plan.again_per_s, in_flight_per_node=plan.most_unanswered
    )


def measure_without(
    plan: Plan, background: LoadProcess, hot: Sequence[ClosedLoadSettings], told: Listener, watch: Watch
) -> tuple[float, float]:
    """Let hot clients come and go without shares; return between which two moments they count."""
    told.step("hot, without shares", plan.settle_s + plan.phase_s)
    with all_sending(map(unshared, hot)) as clients:
        watch(plan.settle_s, told, background, *clients)
        begin = time.time()
        watch(plan.phase_s, told, background, *clients)
        end = time.time()
        _stop(clients)
    return begin, end


def measure(
    cluster: Cluster,
    plan: Plan,
    background: LoadProcess,
    hot: Sequence[ClosedLoadSettings],
    told: Listener,
    watch: Watch,
) -> FairMoments:
    """Switch fair shares on, and let hot clients come and go under the same background."""
    switch(cluster, "on")
    told.step("fair shares, settling", plan.settle_s)
    watch(plan.settle_s, told, background)
    told.step("fair shares, background", plan.phase_s)
    background_from = time.time()
    watch(plan.phase_s, told, background)
    told.step("fair shares, hot", plan.limited_s)
    background_to = time.time()
    with all_sending(hot) as clients:
        watch(plan.limited_s, told, background, *clients)
        hot_stops = time.time()
        _stop(clients)
    told.step("fair shares, after", RECOVERY_S + plan.settle_s)
    watch(hot_stops + RECOVERY_S - time.time(), told, background)
    with all_sending([again(each, plan) for each in hot]) as clients:
        watch(plan.settle_s, told, background, *clients)
        end = time.time()
        # What is under way is answered; the probe's next second is after the last one drawn.
        watch(1.5, told, background, *clients)
        _stop(clients)
    hot_starts = observed.first_sent_s([samples.read(Path(each.directory) / samples.FILE) for each in hot])
    return FairMoments(background_from, background_to, hot_starts, hot_stops, end)


def _stop(clients: Sequence[LoadProcess]) -> None:
    """Stop all at once: each waits for its answers due."""
    with ThreadPoolExecutor() as stopping:
        list(stopping.map(LoadProcess.stop, clients))


def conclude(
    moments: FairMoments, background: np.ndarray, directories: Sequence[Path], nodes: Mapping[str, NodeCounters]
) -> dict[str, Any]:
    """Return each phase, and seconds from the first hot request to when the background was back for good.

    In each directory is what one hot client did; beside it what it did when it came again, and, if they came without
    shares too, what it did then.
    """
    hot = [np.concatenate([_records(directory), _records(directory, _AGAIN)]) for directory in directories]
    phases = [
        {"name": name}
        | _clients(begin, end, background, hot)
        | {"background_rejected_per_s": round(rate(completions(background, REJECTED), begin, end), 2)}
        | {"from_s": round(begin - moments.hot_starts, 2), "to_s": round(end - moments.hot_starts, 2)}
        | {"nodes": observed.replicas(begin, end, nodes)}
        for name, (begin, end) in moments.phases().items()
    ]
    usual = phases[0]["background_per_s"]
    concluded = {
        "recovered_s": observed.recovered_s(background, usual, moments.hot_starts, moments.hot_stops, ENOUGH),
        "phases": phases,
    }
    if moments.unshared is None:
        return concluded
    before = [_records(directory, _UNSHARED) for directory in directories]
    without = _clients(*moments.unshared, background, before)
    return concluded | {
        "without_shares": {"name": HOT} | without,
        "under_hot": round(without["background_per_s"] / usual, 4) if usual else None,
    }


def _records(directory: Path, beside: str = "") -> np.ndarray:
    return samples.read(Path(f"{directory}{beside}") / samples.FILE)


def _clients(from_s: float, to_s: float, background: np.ndarray, hot: Sequence[np.ndarray]) -> dict[str, Any]:
    """Return what the clients saw, the hot ones together, and how much of it each hot one was served."""
    together = np.sort(np.concatenate(hot), order="intended_us")
    each = [round(rate(completions(records, samples.ANSWERED), from_s, to_s), 2) for records in hot]
    return observed.clients(from_s, to_s, background, together) | {"each_accepted_per_s": each}
