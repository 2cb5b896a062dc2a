# SPDX-License-Identifier: Apache-2.0
"""A turn: one cluster under the load of all clients, and what clients and nodes saw."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.experiments.slow_leader.plan import Plan
from isotherm_lab.load import update_outcomes
from isotherm_lab.load.counter_load import CounterLoadSettings
from isotherm_lab.load.process import all_sending
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.processor_use import ProcessorUse
from isotherm_lab.progress import Listener, wait_until

_PROBE_S = 1.5


@dataclass(frozen=True)
class Turn:
    """What one cluster did under load: the measured stretch, its updates, all outcomes, and each node's counters."""

    variant: str
    phase: str
    begin: float
    end: float
    #: The updates of all clients, by intended time; those before and after the stretch too.
    records: np.ndarray
    outcomes: Counter[str]
    #: How many updates each node led in the stretch, by address, and how many were in its queue on average.
    leaders: dict[str, int]
    queues: dict[str, float]
    processors: dict[str, float]


@contextmanager
def updating(plan: Plan, cluster: Cluster, folder: Path, told: Listener) -> Iterator[Callable[[float], None]]:
    """Yield, once all clients update, what waits so many seconds and says how they fare; then have them stop."""
    with all_sending(_clients(plan, cluster, folder)) as clients:

        def note() -> None:
            for client in clients:
                client.check()
            latest = [client.latest for client in clients]
            finished, in_flight = (sum(each[name] for each in latest) for name in ("finished", "in_flight"))
            told.note(f"{finished}/s, {in_flight} in flight")

        yield lambda seconds: wait_until(time.time() + seconds, note)
        for client in clients:
            client.stop()


def outcomes(plan: Plan, folder: Path) -> tuple[np.ndarray, Counter[str]]:
    """Return the records of all clients that updated there, and how many updates ended how."""
    return update_outcomes.of_clients(_folders(plan, folder))


def turn(plan: Plan, variant: str, phase: str, cluster: Cluster, folder: Path, told: Listener) -> Turn:
    """Load one cluster from all clients, and measure from `settle_s` on for `turn_s`."""
    with updating(plan, cluster, folder, told) as watch:
        watch(plan.settle_s)
        usage = ProcessorUse([node.identity.pid for node in cluster.nodes if node.is_running()])
        begin = time.time()
        watch(plan.turn_s)
        end = time.time()
        processors = usage.end()
        # The probe's next second is after the last one measured.
        watch(_PROBE_S)
    nodes = {node.address: NodeCounters.of_node(node.directory) for node in cluster.nodes}
    return Turn(
        variant, phase, begin, end, *outcomes(plan, folder),
        {address: round(each.increase("counters_led", begin, end)) for address, each in nodes.items()},
        {address: each.mean("counter_queue", begin, end) for address, each in nodes.items()},
        processors,
    )  # fmt: skip


def warm_up(plan: Plan, variant: str, cluster: Cluster, folder: Path, told: Listener) -> Turn:
    """Load one cluster until its code is compiled. Its updates are in the account, and nothing else of it counts."""
    return turn(replace(plan, settle_s=plan.warm_up_s, turn_s=0.1), variant, "warm-up", cluster, folder, told)


def _folders(plan: Plan, folder: Path) -> list[Path]:
    return [folder / f"client{number + 1}" for number in range(plan.clients)]


def _clients(plan: Plan, cluster: Cluster, folder: Path) -> list[CounterLoadSettings]:
    """Return the settings of all clients, which share the rate."""
    return [
        CounterLoadSettings(
            contact_points=cluster.contact_points(),
            directory=str(own),
            rate=plan.rate / plan.clients,
            keys=plan.data.keys,
            seed=plan.seed + number,
        )
        for number, own in enumerate(_folders(plan, folder))
    ]
