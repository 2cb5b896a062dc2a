# SPDX-License-Identifier: Apache-2.0
"""What decides a run of throughput: who competes under which load, and how many windows each gets."""

from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from isotherm_lab.data.row_table import RowDataset
from isotherm_lab.experiments.options import changed
from isotherm_lab.measure.paired import LEAST_BLOCKS

NAME = "throughput"
#: About how long it takes to take the plugin out on each node, or to put it in.
EXCHANGE_S = 0.15
PLAIN, OFF, LOCAL, AFFINITY = "cassandra-static", "isotherm-off", "isotherm", "isotherm-affinity"
#: The plugin with every feature switched off; OFF serves without heat alone.
NOTHING = "isotherm-all-off"
#: The same nodes with the plugin taken from the way of requests (the lab's node, Plug).
UNPLUGGED = "isotherm-unplugged"
#: UNPLUGGED once more: what its ratio to UNPLUGGED differs from 1 by is the experiment's own noise.
UNPLUGGED_AGAIN = "isotherm-unplugged-again"
#: As LOCAL, with fair shares of the nodes' threads.
FAIR = "isotherm-fair-share"
#: LOCAL once more: what its ratio to LOCAL differs from 1 by is the experiment's own noise.
AGAIN = "isotherm-again"


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
    blocks: int = 12
    window_s: float = 1.1
    discarded_s: float = 0.2
    #: Each cluster is loaded, with pauses in which it compiles, for so long, or until its hot code is compiled if that
    #: comes first: until the compilers take less than this part of the nodes' processor time in several turns on end.
    warm_up_s: float = 120
    compilers_done_below: float = 0.02
    first_address: int = 1
    seed: int = 20170914

    def phase_s(self, phase: Phase) -> float:
        """Return about how long a phase takes."""
        plugged = EXCHANGE_S if UNPLUGGED in phase.competitors else 0
        return 2 * self.blocks * len(phase.competitors) * (self.window_s + 0.05 + plugged) + 4

    def competes(self, name: str) -> bool:
        """Return whether this competitor is measured at all."""
        return any(name in phase.competitors for phase in self.phases)

    def warming_s(self) -> float:
        """Return how long the clusters take to warm up at most."""
        return self.warm_up_s * (1 + self.competes(PLAIN))

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        return 40 + self.warming_s() + sum(map(self.phase_s, self.phases))


FULL = Plan(
    (
        Phase("QUORUM", True, (PLAIN, UNPLUGGED, OFF, LOCAL)),
        Phase("QUORUM", False, (PLAIN, UNPLUGGED, LOCAL, AFFINITY)),
        Phase("ONE", True, (PLAIN, UNPLUGGED, LOCAL)),
        Phase("ONE", False, (PLAIN, UNPLUGGED, AFFINITY)),
    )
)
SHORT = replace(FULL, phases=(FULL.phases[0], Phase("QUORUM", False, (PLAIN, UNPLUGGED, AFFINITY))))
# How fast a shared machine is changes within seconds: many short windows tell more than few long ones. The discarded
# part is that in which shares that were just switched on have not looked at the queues yet, each 100 ms.
FAIR_SHARES = replace(
    FULL, phases=(Phase("QUORUM", False, (LOCAL, AGAIN, FAIR)),), blocks=40, window_s=0.45, discarded_s=0.15,
)  # fmt: skip
# Equal clusters differ by a tenth for as long as they run, by what the compilers have made of the same code: one is
# measured with the plugin and without it. It costs less than a hundredth, which takes many pairs to see.
SWITCHED_OFF = replace(
    FAIR_SHARES, phases=(Phase("QUORUM", False, (UNPLUGGED, UNPLUGGED_AGAIN, NOTHING)),), blocks=150, window_s=0.65
)


def planned(
    short: Annotated[bool, typer.Option(help="Eight minutes: QUORUM only.")] = False,
    first_address: Annotated[
        int, typer.Option(min=1, max=230, help="127.0.0.N of the first node; each further cluster begins ten above.")
    ] = 1,
    warm_up: Annotated[
        float | None,
        typer.Option(min=1, help="Seconds of load and of compiling on each cluster before anything is measured."),
    ] = None,
    fair_share: Annotated[
        bool, typer.Option(help="Five minutes: only fair shares of a well cluster, switched on and off.")
    ] = False,
    switched_off: Annotated[
        bool,
        typer.Option(help="A quarter of an hour: only the plugin with all features off, and the nodes without it."),
    ] = False,
    blocks: Annotated[
        int | None, typer.Option(min=LEAST_BLOCKS, help="Blocks per comparison; each gives two pairs.")
    ] = None,
) -> Plan:
    """Return what these options ask for."""
    kinds = {"--short": short, "--fair-share": fair_share, "--switched-off": switched_off}
    asked = [option for option, given in kinds.items() if given]
    if len(asked) > 1:
        raise typer.BadParameter(f"{' and '.join(asked)} are runs of their own: take one of them.")
    plan = SWITCHED_OFF if switched_off else FAIR_SHARES if fair_share else SHORT if short else FULL
    chosen = changed(plan, blocks=blocks, first_address=first_address)
    return chosen if warm_up is None else replace(chosen, warm_up_s=warm_up, compilers_done_below=0)
