# SPDX-License-Identifier: Apache-2.0
"""What decides a run of throughput: who competes under which load, and how many windows each gets."""

import sys
from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from isotherm_lab.data.row_table import RowDataset
from isotherm_lab.experiments.options import changed

NAME = "throughput"
PLAIN, OFF, LOCAL, AFFINITY = "cassandra-static", "isotherm-off", "isotherm", "isotherm-affinity"
#: As LOCAL, with fair shares of the nodes' threads.
FAIR = "isotherm-fair-share"


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

    def competes(self, name: str) -> bool:
        """Return whether this competitor is measured at all."""
        return any(name in phase.competitors for phase in self.phases)

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
FAIR_SHARES = replace(FULL, phases=(Phase("QUORUM", False, (LOCAL, FAIR)),), blocks=20)


def planned(
    short: Annotated[bool, typer.Option(help="Two minutes: QUORUM only, fewer pairs.")] = False,
    first_address: Annotated[
        int, typer.Option(min=1, max=240, help="127.0.0.N of the first node; the second cluster begins ten above.")
    ] = 1,
    warm_up: Annotated[
        float | None, typer.Option(min=1, help="Seconds of load on each cluster before anything is measured.")
    ] = None,
    fair_share: Annotated[
        bool, typer.Option(help="Two minutes: only fair shares of a well cluster, switched on and off.")
    ] = False,
    blocks: Annotated[int | None, typer.Option(min=2, help="Blocks per comparison; each gives two pairs.")] = None,
) -> Plan:
    """Return what these options ask for."""
    plan = FAIR_SHARES if fair_share else SHORT if short else FULL
    chosen = changed(plan, blocks=blocks, first_address=first_address)
    return chosen if warm_up is None else replace(chosen, warm_up_s=warm_up, warm_up_reads=sys.maxsize)
