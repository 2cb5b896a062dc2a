# SPDX-License-Identifier: Apache-2.0
"""What the plugin costs when nothing is cold: reads per second of saturated nodes, and their CPU time per read.

Two clusters hold the same data, `isotherm` and `cassandra-static` (the same snitch without the plugin; only if it is
compared with). One at a time is loaded, in short windows that alternate there and back (see measure/paired.py). Every
row is cached on every node.

With equal heat, placement `local` keeps the operator's order, so that not much is measured. Most phases therefore make
heat differ by three points: node 3 is asked, at consistency ONE, for keys that nobody wrote, which are misses that
cost next to nothing. Three points are more than what counts as equal and less than the miss floor, so that every read
is drawn, by shares that are equal: as many reads cross the network as without the plugin, and only the balancing
itself is compared. Placement `affinity` draws with equal heat, and sends more reads over the network by design.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import row_table
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.loading import loading
from isotherm_lab.experiments.throughput.plan import LOCAL, NAME, OFF, PLAIN, Phase, Plan
from isotherm_lab.experiments.throughput.side import SWITCHES, Side
from isotherm_lab.load.windows import Window, no_collections
from isotherm_lab.measure.paired import counterbalanced
from isotherm_lab.progress import Listener, Silent

_NODES = 3
_WARM_UP_TURN_S = 1.0


@dataclass(frozen=True)
class Measured:
    """A competitor's windows in a phase, two per block, and the part of its reads whose replicas were drawn by heat."""

    windows: list[Window]
    drawn: float


def run(plan: Plan, listener: Listener | None = None) -> Iterator[tuple[Phase, dict[str, Measured]]]:
    """Start both clusters, then yield each phase with what its competitors did; stop them whatever happens."""
    told = listener or Silent()
    with ExitStack() as stack:
        told.step("starting the nodes", 36)
        plugin = Side(stack.enter_context(_cluster(LOCAL, plan, plan.first_address, told.note)), plan)
        stack.callback(plugin.close)
        of = dict.fromkeys(SWITCHES, plugin)
        if plan.competes(PLAIN):
            of[PLAIN] = Side(stack.enter_context(_cluster(PLAIN, plan, plan.first_address + 10, told.note)), plan)
            stack.callback(of[PLAIN].close)
        stack.enter_context(no_collections())
        told.step("warming up", 2 * plan.warm_up_s)
        _warm_up(plan, of, told.note)
        for phase in plan.phases:
            told.step(phase.name, plan.phase_s(phase))
            yield phase, _measure(plan, phase, of, told.note)


@contextmanager
def _cluster(name: str, plan: Plan, first_address: int, note: Callable[[str], None]) -> Iterator[Cluster]:
    cluster = Cluster.create(
        f"{NAME}-{name}", [variant(name)] * _NODES, heat_source="cache", full_compilation=True,
        overrides={"row_cache_size": "64MiB"}, first_address=first_address,
    )  # fmt: skip
    with cluster:
        cluster.start(note)
        with loading(cluster) as session:
            row_table.create(session, plan.data, _NODES)
            row_table.fill(session, plan.data, plan.seed)
        with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
            row_table.read(session, np.arange(plan.data.keys))
        yield cluster


def _warm_up(plan: Plan, of: dict[str, Side], note: Callable[[str], None]) -> None:
    """Load both clusters in turn with all the measured kinds of reads, until each had its reads or its time."""
    turns = [(phase, name) for phase in plan.phases for name in phase.competitors]
    sides = set(of.values())
    reads, seconds = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0.0)
    unfinished = set(sides)
    for phase, name in cycle(turns):
        side = of[name]
        if side in unfinished:
            side.prepare(phase)
            side.switch(name)
            window = side.window(_WARM_UP_TURN_S, 0)
            reads[side] += window.answered
            seconds[side] += window.seconds
            if reads[side] >= plan.warm_up_reads or seconds[side] >= plan.warm_up_s:
                unfinished.discard(side)
        if not unfinished:
            return
        note(f"{min(reads.values()):,} reads each")


def _measure(plan: Plan, phase: Phase, of: dict[str, Side], note: Callable[[str], None]) -> dict[str, Measured]:
    windows: dict[str, list[Window]] = {name: [] for name in phase.competitors}
    drawn = dict.fromkeys(phase.competitors, 0)
    answered = dict.fromkeys(phase.competitors, 0.0)
    for side in {of[name] for name in phase.competitors}:
        side.prepare(phase)
    # Heat follows the load with a time constant of seconds, and so do the caches of the processors.
    settling = [name for name in (OFF, PLAIN) if name in phase.competitors or name == OFF]
    for name in settling:
        of[name].switch(name)
        of[name].window(2.0, 0)
    for block in range(plan.blocks):
        for name in counterbalanced(phase.competitors):
            side = of[name]
            side.switch(name)
            before = side.drawn()
            window = side.window(plan.window_s, plan.discarded_s)
            if not window.answered:
                raise LabError(f"{name} answered no read within {window.seconds:.1f} s: see the logs in .lab/.")
            drawn[name] += side.drawn() - before
            # Nearly: what the discarded part answered is taken to be as much a second as the rest.
            answered[name] += window.per_s * plan.window_s
            windows[name].append(window)
        note(f"{block + 1} of {plan.blocks} blocks")
    return {name: Measured(windows[name], drawn[name] / answered[name]) for name in phase.competitors}
