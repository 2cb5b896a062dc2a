# SPDX-License-Identifier: Apache-2.0
"""Counter updates while one node's storage, then two nodes', is slow: who leads them, and what clients notice.

RF 3, QUORUM, three clients over three nodes. A leader reads a counter from its disk, adds and applies; then it tells
the others, which only write. Nothing is cached, so that an update is one read of its leader's disk, and a node's disk
is slow by a factor: its queue for counter updates builds, and its other writes are as fast as before.

Two clusters hold the same counters, one with the plugin and one without, and take the same updates at the same intended
times, in turns there and back (see paired.py): a machine that is busy for a minute is busy for both.
"""

import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.cluster import control
from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import counter_table
from isotherm_lab.data.counter_table import CounterDataset
from isotherm_lab.data.row_table import KEYSPACE
from isotherm_lab.experiments.slow_leader import saturation as saturation
from isotherm_lab.load import update_outcomes
from isotherm_lab.load.closed_loop import Window
from isotherm_lab.load.counter_load import CounterLoadSettings
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.measure.paired import there_and_back
from isotherm_lab.measure.processor_use import ProcessorUse
from isotherm_lab.progress import Listener, Silent, wait_until

NAME = "slow-leader"
STOCK, PLUGIN = "cassandra", "isotherm"
#: Each phase, and how many nodes are slow in it: the last of the cluster.
PHASES = {"well": 0, "one_slow": 1, "two_slow": 2}
_NODES = 3
_PROBE_S = 1.5


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run."""

    #: A well node serves 1,600 updates a second, a slow one 80, and stock Cassandra has each lead 90.
    data: CounterDataset = field(default_factory=lambda: CounterDataset(keys=3000, service_us=10_000, parallel=16))
    rate: float = 270
    clients: int = 3
    slowness: int = 20
    warm_up_s: float = 15
    settle_s: float = 4
    turn_s: float = 20
    #: Whether each phase has a second turn of each variant, in reverse.
    back: bool = True
    #: The section `queue` of isotherm.yaml.
    queue: dict[str, Any] = field(default_factory=dict)
    #: Settings of cassandra.yaml beside those of this experiment.
    overrides: dict[str, Any] = field(default_factory=dict)
    variants: tuple[str, ...] = (STOCK, PLUGIN)
    phases: tuple[str, ...] = tuple(PHASES)
    first_address: int = 1
    seed: int = 20180620
    #: How often throughput is compared, two windows of each variant a time; 0: not at all.
    blocks: int = 10

    def order(self) -> list[str]:
        """Return the variants in the order of their turns in a phase."""
        return there_and_back(self.variants) if self.back else list(self.variants)

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        turns = len(self.phases) * len(self.order())
        saturated = saturation.expected_s(self.blocks, len(self.variants))
        return 60 + self.warm_up_s * len(self.variants) + turns * (self.settle_s + self.turn_s + 8) + saturated


FULL = Plan()
SHORT = replace(FULL, warm_up_s=8, settle_s=3, turn_s=12, back=False, blocks=5)


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


@dataclass(frozen=True)
class Outcome:
    """What a run left: its turns, and by how much each variant's counters grew."""

    turns: list[Turn]
    counted: dict[str, int]
    #: Of saturated nodes, all well, in turns: two windows of each variant a block.
    windows: dict[str, list[Window]]


def run(plan: Plan, output: Path, listener: Listener | None = None) -> Outcome:
    """Run all phases on fresh clusters, both up all the time; each client's updates are recorded below `output`."""
    told = listener or Silent()
    with ExitStack() as stack:
        told.step(f"starting {_NODES * len(plan.variants)} nodes", 50)
        clusters = {
            name: stack.enter_context(start(plan, name, plan.first_address + 10 * place, told))
            for place, name in enumerate(plan.variants)
        }
        before = {name: count(cluster, plan) for name, cluster in clusters.items()}
        turns = []
        for name, cluster in clusters.items():
            told.step(f"{name}: warming up", plan.warm_up_s)
            short = replace(plan, settle_s=plan.warm_up_s, turn_s=0.1)
            turns.append(turn(short, name, "warm-up", cluster, output / name / "warm-up", told))
        for phase in plan.phases:
            for cluster in clusters.values():
                slow_down(cluster, PHASES[phase], plan.slowness)
            for number, name in enumerate(plan.order()):
                told.step(f"{phase}: {name}", plan.settle_s + plan.turn_s + 8)
                folder = output / name / f"{phase}-{number // len(plan.variants) + 1}"
                turns.append(turn(plan, name, phase, clusters[name], folder, told))
        for cluster in clusters.values():
            cluster.order("disk", "fast")
        counted = {name: count(cluster, plan) - before[name] for name, cluster in clusters.items()}
        windows = {}
        if plan.blocks:
            told.step("as many updates as the nodes can do", saturation.expected_s(plan.blocks, len(clusters)))
            windows = saturation.measure(clusters, plan.blocks, plan.data.keys, plan.seed)
    return Outcome(turns, counted, windows)


def start(plan: Plan, name: str, first_address: int, told: Listener, called: str = "") -> Cluster:
    """Return a running cluster of this variant with its counters on disk, each read at memory speed still."""
    cluster = Cluster.create(
        called or f"{NAME}-{name}", [variant(name)] * _NODES, overrides=counter_table.NO_CACHES | plan.overrides,
        queue=plan.queue, first_address=first_address,
    )  # fmt: skip
    try:
        cluster.start(told.note)
        cluster.order("disk", "fast")
        with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
            counter_table.create(session, plan.data, _NODES)
            counter_table.fill(session, plan.data)
        cluster.order("flush", KEYSPACE)
        slow_down(cluster, 0, plan.slowness)
    except BaseException:
        cluster.kill()
        raise
    return cluster


def slow_down(cluster: Cluster, nodes: int, slowness: int) -> None:
    """Make the disks of the last `nodes` slow, and the others as they are."""
    for place, node in enumerate(cluster.nodes):
        slow = place >= len(cluster.nodes) - nodes
        control.order(node.directory, "disk", f"slow {slowness}" if slow else "slow")


def count(cluster: Cluster, plan: Plan) -> int:
    """Return the sum of all counters, read on all replicas; no node may be down."""
    with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
        return counter_table.total(session, plan.data)


def turn(plan: Plan, name: str, phase: str, cluster: Cluster, folder: Path, told: Listener) -> Turn:
    """Load one cluster from all clients, and measure from `settle_s` on for `turn_s`."""
    with ExitStack() as stack:
        started = [stack.enter_context(LoadProcess(each)) for each in clients(plan, cluster, folder)]
        for client in started:
            client.wait_until_sending()

        def watch(seconds: float) -> None:
            wait_until(time.time() + seconds, lambda: note(started, told))

        watch(plan.settle_s)
        usage = ProcessorUse([node.identity.pid for node in cluster.nodes if node.is_running()])
        begin = time.time()
        watch(plan.turn_s)
        end = time.time()
        processors = usage.end()
        # The probe's next second is after the last one measured.
        watch(_PROBE_S)
        for client in started:
            client.stop()
    records, outcomes = update_outcomes.of_clients([client.directory for client in started])
    nodes = {node.address: NodeCounters.of_node(node.directory) for node in cluster.nodes}
    return Turn(
        name, phase, begin, end, records, outcomes,
        {address: round(each.increase("counters_led", begin, end)) for address, each in nodes.items()},
        {address: each.mean("counter_queue", begin, end) for address, each in nodes.items()},
        processors,
    )  # fmt: skip


def clients(plan: Plan, cluster: Cluster, folder: Path) -> list[CounterLoadSettings]:
    """Return the settings of all clients, which share the rate."""
    return [
        CounterLoadSettings(
            contact_points=cluster.contact_points(),
            directory=str(folder / f"client{number + 1}"),
            rate=plan.rate / plan.clients,
            keys=plan.data.keys,
            seed=plan.seed + number,
        )
        for number in range(plan.clients)
    ]


def note(started: list[LoadProcess], told: Listener) -> None:
    """Say how the clients fare."""
    for client in started:
        client.check()
    newest = [client.latest for client in started]
    told.note(f"{sum(each['finished'] for each in newest)}/s, {sum(each['in_flight'] for each in newest)} in flight")
