# SPDX-License-Identifier: Apache-2.0
"""What decides a run: the variants, the tables, the faults, and how long each stretch is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from isotherm_lab.cluster.storage import StorageName
from isotherm_lab.cluster.variants import COMPARED, VARIANTS, Variant
from isotherm_lab.experiments.cold_restart import plan as cold_restart
from isotherm_lab.experiments.gray.fault import Fault
from isotherm_lab.experiments.gray.faults import FAULTS
from isotherm_lab.experiments.options import FirstAddress, changed
from isotherm_lab.measure.rejoining import LEAST_STAY_S

NAME = "gray"
#: What the tables are, by name: each returns the plan of a cold restart, whose table, caches and reads are used.
TABLES: Mapping[str, Callable[[bool], cold_restart.Plan]] = {
    "row-cache": partial(cold_restart.of_size, "exceeds", "cache"),
    "default": partial(cold_restart.of_size, "exceeds", "read_time"),
    "page-cache": partial(cold_restart.of_size, "exceeds", "auto", storage=StorageName.PAGE_CACHE),
}
TABLE_TITLES = {"row-cache": "row cache", "default": "default table", "page-cache": "page cache"}
SHORT_VARIANTS, SHORT_FAULTS = ("cassandra", "isotherm"), ("slow-disk", "stopped")


@dataclass(frozen=True)
class Plan:
    """What happens to one cluster; the same plan offers every variant the same reads at the same times."""

    table: cold_restart.Plan
    faults: tuple[Fault, ...]
    #: Load before anything else: in it nodes with placement auto choose one.
    lead_s: float = 0
    #: Before each fault: at least so long, and longer while readers still notice the one before.
    settle_s: float = 12
    settle_at_most_s: float = 90
    well_s: float = 15
    fault_s: float = 30
    #: Long enough for the last window, and for a late return to be seen to last.
    after_s: float = 40
    #: How often all the faults befall the cluster, one after another.
    rounds: int = 1
    first_address: int = 1

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        around = self.settle_s + self.well_s + self.after_s
        one = sum(around + fault.lasts_s(self.fault_s) + fault.prepared_in_s for fault in self.faults)
        return 75 + self.lead_s + self.rounds * one


@dataclass(frozen=True)
class Suite:
    """Which variants run, and on which tables."""

    plans: Mapping[str, Plan]
    variants: tuple[Variant, ...]


VariantName = StrEnum("VariantName", [(name, name) for name in VARIANTS])
FaultName = StrEnum("FaultName", [(name, name) for name in FAULTS])
TableName = StrEnum("TableName", [*((name, name) for name in TABLES), ("both", "both"), ("all", "all")])
#: The tables of names that stand for several.
_SEVERAL = {"both": ("row-cache", "default"), "all": tuple(TABLES)}


def planned(
    chosen: Annotated[
        list[VariantName] | None, typer.Option("--variant", help="Repeat for several; without it, all.")
    ] = None,
    faults: Annotated[
        list[FaultName] | None, typer.Option("--fault", help="Repeat for several; without it, all.")
    ] = None,
    table: Annotated[
        TableName | None,
        typer.Option(
            help="Which cache serves the reads: the row cache, Cassandra's chunk cache (default), or the kernel's page"
            " cache, with disks of the kernel's too; both: the first two."
        ),
    ] = None,
    short: Annotated[
        bool, typer.Option(help="Less than ten minutes: two variants, two faults, the row cache, shorter stretches.")
    ] = False,
    rate: Annotated[float | None, typer.Option(min=1, help="Reads offered per second.")] = None,
    seconds: Annotated[float | None, typer.Option(min=5, help="How long a fault lasts.")] = None,
    after: Annotated[float | None, typer.Option(min=LEAST_STAY_S, help="How long to watch after its end.")] = None,
    settle: Annotated[
        float | None,
        typer.Option(min=1, help="Seconds of load before all else: nodes with placement auto choose one in minutes."),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="How often each fault befalls a cluster; the medians are compared.")
    ] = None,
    first_address: FirstAddress = 1,
) -> Suite:
    """Return what these options ask for."""
    table = table or ("row-cache" if short else "both")
    tables = _SEVERAL.get(str(table), (str(table),))
    names = chosen or (SHORT_VARIANTS if short else COMPARED)
    befalling = tuple(FAULTS[str(name)] for name in faults or (SHORT_FAULTS if short else FAULTS))
    plans = {}
    for name in tables:
        plan = Plan(changed(TABLES[name](short), rate=rate), befalling, first_address=first_address)
        if short:
            plan = changed(plan, settle_s=8, well_s=10, after_s=30)
        plans[name] = changed(plan, fault_s=seconds, after_s=after, lead_s=settle, rounds=rounds)
    return Suite(plans, tuple(VARIANTS[str(name)] for name in names))


def key(fault: str, table: str) -> str:
    """Return what the fault on this table is called in the summary, and its folder."""
    return fault if table == "row-cache" else f"{fault}@{table}"


def title(name: str) -> str:
    """Return what a fault of the summary is, in words."""
    fault, _, table = name.partition("@")
    return f"{FAULTS[fault].title} ({TABLE_TITLES[table or 'row-cache']})"
