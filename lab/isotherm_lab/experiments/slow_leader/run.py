# SPDX-License-Identifier: Apache-2.0
"""Counter updates while one node's storage, then two nodes', is slow: who leads them, and what clients notice.

RF 3, QUORUM, three clients over three nodes. A leader reads a counter from its disk, adds and applies; then it tells
the others, which only write. Nothing is cached, so that an update is one read of its leader's disk, and a node's disk
is slow by a factor: its queue for counter updates builds, and its other writes are as fast as before.

Two clusters hold the same counters, one with the plugin and one without, and take the same updates at the same intended
times, in turns there and back (see measure/paired.py): a machine that is busy for a minute is busy for both.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from isotherm_lab.experiments.slow_leader import saturation
from isotherm_lab.experiments.slow_leader.clusters import check_memory, count, slow_down, start
from isotherm_lab.experiments.slow_leader.plan import NAME, PHASES, Plan
from isotherm_lab.experiments.slow_leader.turn import Turn, turn, warm_up
from isotherm_lab.load.windows import Window
from isotherm_lab.progress import Listener, Silent


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
    check_memory(len(plan.variants))
    with ExitStack() as stack:
        told.step(f"starting {3 * len(plan.variants)} nodes", 50)
        clusters = {
            name: stack.enter_context(start(plan, f"{NAME}-{name}", name, plan.first_address + 10 * place, told))
            for place, name in enumerate(plan.variants)
        }
        before = {name: count(cluster, plan) for name, cluster in clusters.items()}
        turns = []
        for name, cluster in clusters.items():
            told.step(f"{name}: warming up", plan.warm_up_s)
            turns.append(warm_up(plan, name, cluster, output / name / "warm-up", told))
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
            told.step("as many updates as the nodes can do", plan.saturated_s())
            windows = saturation.measure(clusters, plan.blocks, plan.data.keys, plan.seed)
    return Outcome(turns, counted, windows)
