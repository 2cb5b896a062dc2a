# SPDX-License-Identifier: Apache-2.0
"""What the plugin costs when nothing is cold: reads per second of saturated nodes, and their CPU time per read.

Two clusters hold the same data, `isotherm` and `cassandra-static` (the same snitch without the plugin; only if it is
compared with). One at a time is loaded, in short windows that alternate there and back (see measure/paired.py). Every
row is cached on every node. Equal clusters differ by what their compilers made of them: what is promised is judged on
one cluster, with the plugin in the way of its requests and without it.

With equal heat, placement `local` keeps the operator's order, so that not much is measured. Most phases therefore make
heat differ by three points: node 3 is asked, at consistency ONE, for keys that nobody wrote, which are misses that
cost next to nothing. Three points are more than what counts as equal and less than the miss floor, so that every read
is drawn, by shares that are equal: as many reads cross the network as without the plugin, and only the balancing
itself is compared. Placement `affinity` draws with equal heat, and sends more reads over the network by design.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from isotherm_lab.cluster import jvm, preflight
from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import row_table
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.loading import loading
from isotherm_lab.experiments.throughput.plan import LOCAL, NAME, NOTHING, OFF, PLAIN, UNPLUGGED, Phase, Plan
from isotherm_lab.experiments.throughput.side import SWITCHES, Side
from isotherm_lab.load.collector import no_collections
from isotherm_lab.load.windows import Window
from isotherm_lab.measure.paired import counterbalanced
from isotherm_lab.measure.thread_use import COMPILERS, Use, between
from isotherm_lab.progress import Listener, Silent

_NODES = 3
_WARM_UP_TURN_S = 1.0
#: In so many turns on end the compilers must have done next to nothing.
_CALM_TURNS = 4
#: Between two turns the compilers have the processors to themselves until they keep less of one busy than this.
_COMPILING = 0.05
_COMPILING_LOOK_S = 0.25


@dataclass(frozen=True)
class Measured:
    """A competitor's windows in a phase, two per block, and the part of its reads whose replicas were drawn by heat.

    `compilers` is the part of the nodes' processor time that the JVMs' compilers took in the phase.
    """

    windows: list[Window]
    drawn: float
    compilers: float = 0.0


def run(plan: Plan, listener: Listener | None = None) -> Iterator[tuple[Phase, dict[str, Measured]]]:
    """Start the clusters, then yield each phase with what its competitors did; stop them whatever happens."""
    told = listener or Silent()
    preflight.check_memory(_NODES * (1 + plan.competes(PLAIN)))
    with ExitStack() as stack:
        told.step("starting the nodes", 36)
        plugin = Side(stack.enter_context(running(LOCAL, plan, plan.first_address, told.note)), plan)
        stack.callback(plugin.close)
        of = dict.fromkeys(SWITCHES, plugin)
        if plan.competes(PLAIN):
            of[PLAIN] = Side(stack.enter_context(running(PLAIN, plan, plan.first_address + 10, told.note)), plan)
            stack.callback(of[PLAIN].close)
        stack.enter_context(no_collections())
        told.step("warming up", plan.warming_s())
        warm_up(plan, of, told.note)
        for phase in plan.phases:
            told.step(phase.name, plan.phase_s(phase))
            yield phase, _measure(plan, phase, of, told.note)


@contextmanager
def running(name: str, plan: Plan, first_address: int, note: Callable[[str], None]) -> Iterator[Cluster]:
    """Start a cluster of the variant with every row cached on every node; stop it whatever happens."""
    cluster = Cluster.create(
        f"{NAME}-{name}-{first_address}", [variant(name)] * _NODES, heat_source="cache",
        full_compilation=True, overrides={"row_cache_size": "64MiB"}, first_address=first_address,
        properties={jvm.PLUG: "true"} if variant(name).plugin and plan.competes(UNPLUGGED) else {},
        # As those that it is compared with.
        isotherm_overrides={"dynamic_snitch": False},
    )  # fmt: skip
    with cluster:
        cluster.start(note)
        with loading(cluster) as session:
            row_table.create(session, plan.data, _NODES)
            row_table.fill(session, plan.data, plan.seed)
        with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
            row_table.read(session, np.arange(plan.data.keys))
        yield cluster


def warm_up(plan: Plan, of: dict[str, Side], note: Callable[[str], None]) -> None:
    """Load both clusters in turn with all the measured kinds of reads, until each is compiled or had its time."""
    turns = [(phase, name) for phase in plan.phases for name in phase.competitors]
    sides = set(of.values())
    calm, seconds = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0.0)
    unfinished = set(sides)
    for phase, name in cycle(turns):
        side = of[name]
        if side in unfinished:
            side.prepare(phase)
            side.switch(name)
            before, begun = side.threads(), time.monotonic()
            window = side.window(_WARM_UP_TURN_S, 0)
            _let_compile(side, begun + plan.warm_up_s - seconds[side])
            compilers = _compilers([between(before, side.threads())])
            calm[side] = calm[side] + 1 if compilers < plan.compilers_done_below else 0
            seconds[side] += time.monotonic() - begun
            if calm[side] >= _CALM_TURNS or seconds[side] >= plan.warm_up_s:
                unfinished.discard(side)
            note(f"{window.per_s:,.0f}/s, the compilers take {compilers:.0%}")
        if not unfinished:
            return


def _let_compile(side: Side, deadline: float) -> None:
    """Wait until the compilers have nothing to do, at most until the deadline on the monotonic clock.

    Under load they get one thread's part of the processors, and what they have not compiled yet takes most of the rest.
    """
    before = side.threads()
    while time.monotonic() < deadline:
        time.sleep(_COMPILING_LOOK_S)
        after = side.threads()
        if between(before, after)[COMPILERS].cpu_s < _COMPILING * _COMPILING_LOOK_S:
            return
        before = after


def _compilers(spent: Sequence[Mapping[str, Use]]) -> float:
    """Return the part of the processor time that compilers took; 0 if none was spent."""
    total = sum(use.cpu_s for each in spent for use in each.values())
    return sum(each[COMPILERS].cpu_s for each in spent) / total if total else 0.0


def _measure(plan: Plan, phase: Phase, of: dict[str, Side], note: Callable[[str], None]) -> dict[str, Measured]:
    windows: dict[str, list[Window]] = {name: [] for name in phase.competitors}
    drawn = dict.fromkeys(phase.competitors, 0)
    answered = dict.fromkeys(phase.competitors, 0.0)
    sides = {of[name] for name in phase.competitors}
    for side in sides:
        side.prepare(phase)
    # Heat follows the load with a time constant of seconds, and so do the caches of the processors.
    off = NOTHING if NOTHING in phase.competitors else OFF
    for name in [off, *[PLAIN] * (PLAIN in phase.competitors)]:
        of[name].switch(name)
        of[name].window(2.0, 0)
    before = {side: side.threads() for side in sides}
    for block in range(plan.blocks):
        for name in counterbalanced(phase.competitors, block):
            side = of[name]
            side.switch(name)
            drawn_before = side.drawn()
            window = side.window(plan.window_s, plan.discarded_s)
            if not window.answered:
                raise LabError(f"{name} answered no read within {window.seconds:.1f} s: see the logs in .lab/.")
            drawn[name] += side.drawn() - drawn_before
            # Nearly: what the discarded part answered is taken to be as much a second as the rest.
            answered[name] += window.per_s * plan.window_s
            windows[name].append(window)
        note(f"{block + 1} of {plan.blocks} blocks")
    compilers = _compilers([between(before[side], side.threads()) for side in sides])
    return {name: Measured(windows[name], drawn[name] / answered[name], compilers) for name in phase.competitors}
