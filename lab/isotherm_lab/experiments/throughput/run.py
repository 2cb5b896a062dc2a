# SPDX-License-Identifier: Apache-2.0
"""What the plugin costs when nothing is cold: reads per second of saturated nodes, and their CPU time per read.

Two clusters hold the same data, `isotherm` and `cassandra-static` (the same snitch without the plugin). One at a time
is loaded, in short windows that alternate there and back (see paired.py). Every row is cached on every node.

With equal heat, placement `local` keeps the operator's order, so that not much is measured. Most phases therefore make
heat differ by three points: node 3 is asked, at consistency ONE, for keys that nobody wrote, which are misses that
cost next to nothing. Three points are more than what counts as equal and less than the miss floor, so that every read
is drawn, by shares that are equal: as many reads cross the network as without the plugin, and only the balancing
itself is compared. Placement `affinity` draws with equal heat, and sends more reads over the network by design.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import cycle

import numpy as np
import psutil

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import row_table
from isotherm_lab.data.row_table import KEYSPACE, TABLE, RowDataset
from isotherm_lab.errors import LabError
from isotherm_lab.load.closed_loop import ClosedLoop, Lane, Window
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.measure.paired import there_and_back
from isotherm_lab.progress import Listener, Silent

NAME = "throughput"
PLAIN, OFF, LOCAL, AFFINITY = "cassandra-static", "isotherm-off", "isotherm", "isotherm-affinity"
#: What a window sets on the nodes with the plugin: whether reads are balanced, and the placement.
SWITCHES = {OFF: ("false", "local"), LOCAL: ("true", "local"), AFFINITY: ("true", "affinity")}
_NODES = 3
_WARM_UP_TURN_S = 1.0
#: One read of a key never written in so many that node 3 coordinates: about 3 % of the reads it serves, of which it
#: has two thirds of all at QUORUM and one third at ONE.
_STRANGE_EVERY = {"QUORUM": 16, "ONE": 32}


@dataclass(frozen=True)
class Phase:
    """Blocks of windows under one load: which competitors, at which consistency, with which heat."""

    consistency: str
    heat_differs: bool
    competitors: tuple[str, ...]

    @property
    def name(self) -> str:
        """A name for a person."""
        return f"{self.consistency}, heat {'differs' if self.heat_differs else 'equal'}"


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run."""

    phases: tuple[Phase, ...]
    data: RowDataset = field(default_factory=lambda: RowDataset(3000, 1000, service_us=0, parallel=2, row_cache=True))
    in_flight_per_node: int = 24
    blocks: int = 10
    window_s: float = 1.1
    discarded_s: float = 0.2
    #: Load on each cluster until its hot code is compiled: so many reads, or for so long if that comes first.
    warm_up_reads: int = 2_000_000
    warm_up_s: float = 50
    first_address: int = 1
    seed: int = 20170914

    def phase_s(self, phase: Phase) -> float:
        """Return about how long a phase takes."""
        return 2 * self.blocks * len(phase.competitors) * (self.window_s + 0.05) + 4

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        return 40 + 2 * self.warm_up_s + sum(map(self.phase_s, self.phases))


FULL = Plan(
    (
        Phase("QUORUM", True, (PLAIN, OFF, LOCAL)),
        Phase("QUORUM", False, (PLAIN, LOCAL, AFFINITY)),
        Phase("ONE", True, (PLAIN, LOCAL)),
        Phase("ONE", False, (PLAIN, AFFINITY)),
    )
)
SHORT = replace(FULL, phases=(FULL.phases[0], Phase("QUORUM", False, (PLAIN, AFFINITY))), blocks=5, warm_up_s=25)


@dataclass(frozen=True)
class Measured:
    """A competitor's windows in a phase, two per block, and the part of its reads whose replicas were drawn by heat."""

    windows: list[Window]
    drawn: float


class Side:
    """One of the two clusters, with connections that stay open."""

    def __init__(self, cluster: Cluster, plan: Plan):
        self.cluster = cluster
        self.plugin = variant(cluster.variants[0]).plugin
        self._processes = [psutil.Process(node.identity.pid) for node in cluster.nodes]
        # Apart from those under load: a question in between must not meet a read's answer.
        self._asking = [CqlConnection(address, CQL_PORT) for address in cluster.contact_points()]
        keys = np.random.default_rng(plan.seed)
        self._lanes = [
            Lane(CqlConnection(address, CQL_PORT), plan.in_flight_per_node, keys.integers(0, plan.data.keys, 50_000))
            for address in cluster.contact_points()
        ]
        self._loop = ClosedLoop(self._lanes, self._cpu_seconds)

    def _cpu_seconds(self) -> float:
        times = [process.cpu_times() for process in self._processes]
        return sum(each.user + each.system for each in times)

    def prepare(self, phase: Phase) -> None:
        """Have every lane send the reads of this phase."""
        statement = f"SELECT value FROM {KEYSPACE}.{TABLE} WHERE key = ?"
        for lane in self._lanes:
            read = lane.connection.prepare(statement, phase.consistency)
            if phase.heat_differs and lane is self._lanes[-1]:
                lane.prepare(read, lane.connection.prepare(statement, "ONE"), _STRANGE_EVERY[phase.consistency])
            else:
                lane.prepare(read)

    def switch(self, competitor: str) -> None:
        """Set what the competitor's name says on every node."""
        if self.plugin:
            enabled, placement = SWITCHES[competitor]
            for node in self._asking:
                node.query(f"UPDATE isotherm.settings SET value = '{enabled}' WHERE name = 'heat.enabled'")
                node.query(f"UPDATE isotherm.settings SET value = '{placement}' WHERE name = 'heat.placement'")

    def drawn(self) -> int:
        """Return how many reads were balanced since the nodes started."""
        if not self.plugin:
            return 0
        statement = "SELECT value FROM isotherm.counts WHERE name = 'BalancedReads'"
        return sum(node.bigint(statement) for node in self._asking)

    def window(self, seconds: float, discarded_s: float) -> Window:
        """Load this cluster for that long."""
        return self._loop.window(seconds, discarded_s)

    def close(self) -> None:
        """Close the connections."""
        self._loop.close()
        for connection in self._asking:
            connection.close()


def run(plan: Plan, listener: Listener | None = None) -> Iterator[tuple[Phase, dict[str, Measured]]]:
    """Start both clusters, then yield each phase with what its competitors did; stop them whatever happens."""
    told = listener or Silent()
    with ExitStack() as stack:
        told.step("starting six nodes", 36)
        plugin = stack.enter_context(_cluster(LOCAL, plan, plan.first_address, told.note))
        plain = stack.enter_context(_cluster(PLAIN, plan, plan.first_address + 10, told.note))
        sides = [Side(plugin, plan), Side(plain, plan)]
        for side in sides:
            stack.callback(side.close)
        stack.enter_context(_no_collections())
        of = {name: sides[0] for name in SWITCHES} | {PLAIN: sides[1]}
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
        cluster.order("disk", "fast")
        with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
            row_table.create(session, plan.data, _NODES)
            row_table.fill(session, plan.data, plan.seed)
            cluster.order("flush", KEYSPACE)
            row_table.read(session, np.arange(plan.data.keys))
        yield cluster


@contextmanager
def _no_collections() -> Iterator[None]:
    """Keep Python's garbage collector out of the windows; what they leave has no cycles."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


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
            reads[side] += window.reads
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
        for name in there_and_back(phase.competitors):
            side = of[name]
            side.switch(name)
            before = side.drawn()
            window = side.window(plan.window_s, plan.discarded_s)
            if not window.reads:
                raise LabError(f"{name} answered no read within {window.seconds:.1f} s: see the logs in .lab/.")
            drawn[name] += side.drawn() - before
            # Nearly: what the discarded part answered is taken to be as much a second as the rest.
            answered[name] += window.per_s * plan.window_s
            windows[name].append(window)
        note(f"{block + 1} of {plan.blocks} blocks")
    return {name: Measured(windows[name], drawn[name] / answered[name]) for name in phase.competitors}
