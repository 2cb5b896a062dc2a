# SPDX-License-Identifier: Apache-2.0
"""What decides a run of the slow leader: the counters, the load, who is slow in which phase, and how long turns are."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import typer

from isotherm_lab.data.counter_table import CounterDataset
from isotherm_lab.experiments.options import FirstAddress, changed
from isotherm_lab.measure.paired import counterbalanced

NAME = "slow-leader"
STOCK, PLUGIN = "cassandra", "isotherm"
#: Each phase, and how many nodes are slow in it: the last of the cluster.
PHASES = {"well": 0, "one_slow": 1, "two_slow": 2}
#: Windows of saturated nodes, and what is discarded at the beginning of each.
WINDOW_S, DISCARDED_S = 1.1, 0.2
#: The way of an update from a bare connection is compiled before anything is measured.
SATURATED_WARM_UP_S = 3.0


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
        return counterbalanced(self.variants) if self.back else list(self.variants)

    def saturated_s(self) -> float:
        """Return about how long the comparison of throughput takes."""
        each = SATURATED_WARM_UP_S + 2 * self.blocks * (WINDOW_S + 0.05)
        return len(self.variants) * each if self.blocks else 0.0

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        turns = len(self.phases) * len(self.order())
        return 60 + self.warm_up_s * len(self.variants) + turns * (self.settle_s + self.turn_s + 8) + self.saturated_s()


FULL = Plan()
SHORT = replace(FULL, warm_up_s=8, settle_s=3, turn_s=12, back=False, blocks=5)


def planned(
    short: Annotated[bool, typer.Option(help="Four minutes: one shorter turn of each variant in each phase.")] = False,
    rate: Annotated[float | None, typer.Option(min=3, help="Counter updates offered per second.")] = None,
    slowness: Annotated[int | None, typer.Option(min=1, help="How many service times a slow disk takes.")] = None,
    soft_limit: Annotated[int | None, typer.Option(min=1, help="The plugin's queue.soft_limit.")] = None,
    first_address: FirstAddress = 1,
) -> Plan:
    """Return what these options ask for."""
    queue = None if soft_limit is None else {"soft_limit": soft_limit}
    chosen = SHORT if short else FULL
    return changed(chosen, rate=rate, slowness=slowness, queue=queue, first_address=first_address)
