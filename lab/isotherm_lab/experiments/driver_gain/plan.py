# SPDX-License-Identifier: Apache-2.0
"""What decides a run: the tables, the faults, the levels, how many requests at a time, and how long each turn is."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

import typer

from isotherm_lab.data import row_table
from isotherm_lab.data.row_table import RowDataset, default_table
from isotherm_lab.data.slow_table import KEYSPACE
from isotherm_lab.experiments.gray.fault import Fault
from isotherm_lab.experiments.gray.faults import FAULTS
from isotherm_lab.experiments.options import FirstAddress, changed
from isotherm_lab.load.driver_policies import POLICIES

NAME = "driver-gain"
#: While all is well.
NONE = "none"
ON_DISK = f"{KEYSPACE}.on_disk"
LEVELS = ("LOCAL_ONE", "QUORUM")


@dataclass(frozen=True)
class Condition:
    """What befalls the cluster in a turn, and which table is read meanwhile."""

    name: str
    table: str = row_table.TABLE
    fault: Fault | None = None
    #: How often there and back.
    blocks: int = 1


#: Those of `gray`, but for the node that comes back cold: these tables have no cache that could be cold.
CONDITIONS = {
    condition.name: condition
    for condition in (
        Condition(NONE, blocks=2),
        Condition("slow-disk", ON_DISK, FAULTS["slow-disk"]),
        Condition("stopped", fault=FAULTS["stopped"]),
        Condition("late", fault=FAULTS["late"]),
        Condition("paused", fault=FAULTS["paused"]),
        Condition("starved", fault=FAULTS["starved"]),
        Condition("hung-disk", ON_DISK, FAULTS["hung-disk"]),
        Condition("two-slow", ON_DISK, FAULTS["two-slow"]),
        Condition("all-slow", ON_DISK, FAULTS["all-slow"]),
    )
}


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run; each turn is that of one policy, in an application of its own."""

    levels: tuple[str, ...] = LEVELS
    conditions: tuple[str, ...] = tuple(CONDITIONS)
    #: Served from memory: the processors are what its readers wait for.
    in_memory: RowDataset = field(default_factory=lambda: default_table(3000, 100))
    #: Not cached anywhere: a node serves 400 reads a second.
    on_disk: RowDataset = field(
        default_factory=lambda: RowDataset(
            keys=3000, value_bytes=1000, service_us=10_000, parallel=4, row_cache=False, chunk_kib=4
        )
    )
    #: More than the soft limit of the queue-aware policy, so that a silent node does not hold all of them.
    in_flight: int = 96
    warm_up_s: float = 12
    #: From the first answer of a turn to what is measured.
    before_s: float = 2
    measured_s: float = 5
    #: Between two turns, longer after a fault: what nodes hold against a node fades.
    pause_s: float = 0.5
    pause_after_fault_s: float = 2
    seed: int = 20221103
    first_address: int = 1

    def turns(self) -> int:
        """Return how many turns there are."""
        return 2 * len(POLICIES) * len(self.levels) * sum(CONDITIONS[name].blocks for name in self.conditions)

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        each = 4 + self.before_s + self.measured_s + self.pause_after_fault_s
        return 70 + len(POLICIES) * (self.warm_up_s + 2) + self.turns() * each


LevelName = StrEnum("LevelName", [(name, name) for name in LEVELS])
ConditionName = StrEnum("ConditionName", [(name, name) for name in CONDITIONS])


def planned(
    levels: Annotated[
        list[LevelName] | None, typer.Option("--consistency", help="Repeat for several; without it, both.")
    ] = None,
    faults: Annotated[
        list[ConditionName] | None, typer.Option("--fault", help="Repeat for several; without it, all.")
    ] = None,
    in_flight: Annotated[int | None, typer.Option(min=1, help="Requests of the application under way.")] = None,
    first_address: FirstAddress = 1,
) -> Plan:
    """Return what these options ask for."""
    return changed(
        Plan(first_address=first_address),
        levels=tuple(map(str, levels)) if levels else None,
        conditions=tuple(map(str, faults)) if faults else None,
        in_flight=in_flight,
    )
