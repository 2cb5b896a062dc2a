# SPDX-License-Identifier: Apache-2.0
"""What a soak does: which faults, for how long, with which clients."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from isotherm_lab.experiments.options import FirstAddress
from isotherm_lab.experiments.soak import turns
from isotherm_lab.experiments.soak.faults import FAULTS, Fault
from isotherm_lab.experiments.soak.left_behind import SETTLED_S
from isotherm_lab.experiments.soak.scenes import Scene

NAME = "soak"
STOCK, PLUGIN = "cassandra", "isotherm"
VARIANTS = (STOCK, PLUGIN)
SHORT_FAULTS = ("killed", "stopped", "schema")
#: None that takes a cluster of its own.
USUAL_FAULTS = tuple(name for name, fault in FAULTS.items() if not fault.by_name)
#: About how long one of many tables takes until all nodes have it.
CREATED_S = 0.1
FaultName = StrEnum("FaultName", [(name, name) for name in FAULTS])


@dataclass(frozen=True)
class Plan:
    """A soak; `times` is by how much longer than in the short form everything lasts."""

    faults: tuple[Fault, ...]
    times: float = 1.0
    #: How long clients run before a fault and after it.
    well_s: float = 8.0
    seed: int = 1
    #: How many tables there are where the fault is that there are many.
    tables: int = 2000
    first_address: int = 1
    #: The Markdown file that gets the tables; None: none.
    document: Path | None = None

    def scenes(self) -> dict[Scene, list[Fault]]:
        """Return the faults by the cluster that they befall."""
        found: dict[Scene, list[Fault]] = {}
        for fault in self.faults:
            found.setdefault(fault.scene, []).append(fault)
        return found

    def lasts_s(self, fault: Fault) -> float:
        """Return how long the fault lasts."""
        return fault.short_s * (self.times if fault.longer else 1)

    def expected_s(self, variant: str) -> float:
        """Return about how long the variant takes."""
        of_tables = CREATED_S * self.tables + (turns.expected_s() if variant == PLUGIN else 0)
        many = sum(of_tables for scene in self.scenes() if scene.many_tables)
        return many + (35 + self.well_s) * len(self.scenes()) + sum(self.takes_s(fault) for fault in self.faults)

    def takes_s(self, fault: Fault) -> float:
        """Return about how long a fault takes, with what is before and after it, the audit and the rest."""
        return 2 * self.well_s + self.lasts_s(fault) * len(fault.places or (0,)) + fault.mended_in_s + 10 + SETTLED_S


def planned(
    short: Annotated[bool, typer.Option("--short", help="Fewer faults, and shorter ones: nine minutes.")] = False,
    faults: Annotated[
        list[FaultName] | None,
        typer.Option("--fault", help="Which fault; may be repeated. Without it: all but those that run only if named."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the choices that clients make.")] = 1,
    tables: Annotated[int, typer.Option(min=1, help="How many the fault of that name creates.")] = 2000,
    document: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="A Markdown file with the marks for the tables."),
    ] = None,
    first_address: FirstAddress = 1,
) -> Plan:
    """Return what these options ask for."""
    names: Sequence[str] = faults or (SHORT_FAULTS if short else USUAL_FAULTS)
    plan = Plan(
        tuple(FAULTS[str(name)] for name in names), seed=seed, tables=tables, document=document,
        first_address=first_address,
    )  # fmt: skip
    return plan if short else replace(plan, times=1.5, well_s=10.0)
