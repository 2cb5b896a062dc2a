# SPDX-License-Identifier: Apache-2.0
"""What decides a cold restart: the size of the data, its caches, the load, and how long each stretch is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

import typer

from isotherm_lab.cluster.node_disks import Speed
from isotherm_lab.cluster.page_cache_storage import Bounds
from isotherm_lab.cluster.storage import StorageName
from isotherm_lab.cluster.variants import COMPARED, VARIANTS, Variant
from isotherm_lab.data.row_table import RowDataset, default_table
from isotherm_lab.experiments.options import changed
from isotherm_lab.measure.rejoining import LEAST_STAY_S

NAME = "cold-restart"
RESTARTED = "127.0.0.3"


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run; the same plan and seed offer every variant the same reads at the same times."""

    data: RowDataset
    row_cache_mib: int
    rate: float
    settle_s: float = 15
    before_s: float = 25
    #: From the stop to the start of the new process; the phase `down` lasts until that answers CQL.
    off_s: float = 10
    back_s: float = 90
    heat_source: str = "cache"
    seed: int = 20170914
    full_compilation: bool = False
    #: The bounds of storage page-cache; None is the compressor.
    page_cache: Bounds | None = None
    #: Whether the node that restarts is a coordinator of clients, as the others are.
    restarted_coordinates: bool = True

    @property
    def storage(self) -> StorageName:
        """Which storage the nodes have."""
        return StorageName.PAGE_CACHE if self.page_cache else StorageName.COMPRESSOR

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        return 45 + self.settle_s + self.before_s + self.off_s + 8 + self.back_s + LEAST_STAY_S


@dataclass(frozen=True)
class Suite:
    """Which variants run, and at which sizes."""

    plans: Mapping[str, Plan]
    variants: tuple[Variant, ...]
    #: The plans with the compressor, for a machine where storage page-cache is not possible.
    instead: Mapping[str, Plan] | None = None


#: The cache holds two thirds of the rows. A warm node then misses a third of 2/3 of the reads: with 300 reads/s that
#: is 67/s for a disk that serves 2 / 11 ms = 182/s; with one node down 100/s. A cold node that takes its full part
#: needs 200/s: more than its disk can give. More than half of the QUORUM reads (1 - (2/3)^2) wait for a disk on a warm
#: cluster already, so the median is a disk's service time throughout and does not hang on whether the 50th request
#: in a hundred happened to hit. The disk is slow enough that the processor time of three nodes on two cores is the
#: lesser part of a read.
EXCEEDS = Plan(
    data=RowDataset(keys=6400, value_bytes=1600, service_us=11000, parallel=2, row_cache=True),
    row_cache_mib=7,
    rate=300,
)
#: Everything fits. When the others miss nothing the cold node gets only about 1/41 of the reads (its miss ratio
#: is 1, theirs the floor of 0.05), so how fast it can warm up is bounded: rejoining within 90 s needs
#: keys <= about 1.5 x the replica reads a second. No read waits for a disk here, so that its latency is processor time:
#: the rate is half the other size's, or a node that starts on the same two cores would be all that is measured.
FITS = replace(EXCEEDS, data=replace(EXCEEDS.data, keys=600), row_cache_mib=64, rate=200)
SIZES: Mapping[str, Plan] = {"fits": FITS, "exceeds": EXCEEDS}
#: Each node has 96 MB of data and 80 MiB of page cache, of which logs, jars and the commit log take some. A row lies in
#: three of the default's chunks of 16 KiB: a warm node reads the disk about 0.5 times a read, a cold one 3 to 4 times.
#: With 150 reads/s that is 50/s for a disk that serves 250, with one node down 90/s; a cold node that takes its full
#: part needs 300/s: more than its disk can give. Large rows, so that loading is short and few reads warm a node up.
PAGE_CACHE_EXCEEDS = Plan(
    data=default_table(keys=3000, value_bytes=32000),
    row_cache_mib=0,
    rate=150,
    heat_source="auto",
    page_cache=Bounds(cache_mib=80, disk=Speed(reads_per_s=250)),
)
PAGE_CACHE_FITS = replace(PAGE_CACHE_EXCEEDS, data=replace(PAGE_CACHE_EXCEEDS.data, keys=600))
PAGE_CACHE_SIZES: Mapping[str, Plan] = {"fits": PAGE_CACHE_FITS, "exceeds": PAGE_CACHE_EXCEEDS}


def of_size(
    size: str, heat_source: str = "cache", short: bool = False, storage: StorageName = StorageName.COMPRESSOR
) -> Plan:
    """Return the plan for 'fits' or 'exceeds' with the given heat source and storage."""
    if storage == StorageName.PAGE_CACHE:
        chosen = replace(PAGE_CACHE_SIZES[size], heat_source=heat_source)
        return shortened(chosen) if short else chosen
    chosen = SIZES[size]
    if heat_source == "read_time":
        # No row cache: the chunk cache takes its place. A row is about as long as a chunk and lies in two of them, so
        # a read asks the disk twice as often, for half as long.
        data = replace(
            chosen.data, row_cache=False, chunk_kib=4, value_bytes=3900, service_us=chosen.data.service_us // 2
        )
        chosen = replace(chosen, data=data, heat_source=heat_source, row_cache_mib=chosen.row_cache_mib * 5 // 2)
    return shortened(chosen) if short else chosen


def shortened(plan: Plan) -> Plan:
    """Return the plan for a demonstration: long enough to see the effect, short enough to watch."""
    plan = replace(plan, settle_s=6, before_s=10, off_s=5, back_s=40)
    if plan.page_cache:
        return plan
    # Data and cache are 4/7 of the full size, and so is the time a node takes to warm up.
    data = replace(plan.data, keys=plan.data.keys * 4 // 7)
    return replace(plan, data=data, row_cache_mib=plan.row_cache_mib * 4 // 7)


VariantName = StrEnum("VariantName", [(name, name) for name in VARIANTS])
Size = StrEnum("Size", ["fits", "exceeds", "both"])
HeatSource = StrEnum("HeatSource", ["cache", "read_time", "auto"])
#: The sources that each storage has; the first is the one without --heat-source.
_SOURCES = {StorageName.COMPRESSOR: ("cache", "read_time"), StorageName.PAGE_CACHE: ("auto", "read_time")}


def planned(
    chosen: Annotated[
        list[VariantName] | None,
        typer.Option("--variant", help="Repeat for several; without it, the four that are compared."),
    ] = None,
    size: Annotated[Size | None, typer.Option(help="Data that fits the cache, exceeds it, or both.")] = None,
    short: Annotated[bool, typer.Option(help="A demonstration of less than ten minutes.")] = False,
    storage: Annotated[
        StorageName, typer.Option(help="What the nodes read their data from.")
    ] = StorageName.COMPRESSOR.value,
    heat_source: Annotated[
        HeatSource | None,
        typer.Option(help="What tells of heat: of the compressor cache or read_time, of page-cache auto or read_time."),
    ] = None,
    rate: Annotated[float | None, typer.Option(min=1, help="Reads offered per second.")] = None,
    settle: Annotated[
        float | None, typer.Option(min=5, help="Seconds of load before anything is measured; placement auto needs 240.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=5, help="How long to watch the node after its return.")] = None,
    others_coordinate: Annotated[
        bool,
        typer.Option(help="No client uses the node that restarts as coordinator, as after `nodetool disablebinary`."),
    ] = False,
) -> Suite:
    """Return what these options ask for."""
    size = size or ("exceeds" if short else "both")
    sizes = SIZES if size == "both" else [str(size)]
    source = str(heat_source or _SOURCES[storage][0])
    if source not in _SOURCES[storage]:
        raise typer.BadParameter(
            f"with storage {storage} the source is {' or '.join(_SOURCES[storage])}, not {source}",
            param_hint="'--heat-source'",
        )

    def plans(storage: StorageName, source: str) -> Mapping[str, Plan]:
        return {
            name: changed(
                of_size(name, source, short, storage),
                rate=rate,
                settle_s=settle,
                back_s=seconds,
                restarted_coordinates=not others_coordinate,
            )
            for name in sizes
        }

    variants = tuple(VARIANTS[str(name)] for name in chosen or COMPARED)
    # The compressor without a row cache is the nearest to a default table.
    instead = plans(StorageName.COMPRESSOR, "read_time") if storage == StorageName.PAGE_CACHE else None
    return Suite(plans(storage, source), variants, instead)
