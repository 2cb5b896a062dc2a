# SPDX-License-Identifier: Apache-2.0
"""What decides a run of the cost of a rejection: the partitions, the load, and the windows."""

from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from isotherm_lab.data.partition_table import PartitionDataset
from isotherm_lab.experiments.options import FirstAddress, changed
from isotherm_lab.measure.paired import LEAST_BLOCKS

NAME = "rejection-cost"


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run."""

    #: One partition of one row, and one of hot_rows, as large as those of the hot partition.
    data: PartitionDataset = field(
        default_factory=lambda: PartitionDataset(
            keys=1, hot_rows=10, value_bytes=4000, service_us=0, parallel=2, chunk_kib=4
        )
    )
    #: How many rows the partition has that is read.
    rows: tuple[int, ...] = (10, 1)
    rate: float = 800
    in_flight_per_node: int = 24
    blocks: int = 6
    window_s: float = 3.0
    discarded_s: float = 0.5
    #: As fast as the nodes answer, until their code is compiled.
    warm_up_s: float = 60
    warm_up_in_flight_per_node: int = 8
    first_address: int = 1
    seed: int = 20221103

    def measure_s(self) -> float:
        """Return about how long the windows of one partition take."""
        return 2 * 3 * (self.blocks + 0.5) * self.window_s

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        return 45 + self.warm_up_s + 2 * len(self.rows) * self.measure_s()


FULL = Plan()
SHORT = replace(FULL, rows=(10,), blocks=5, window_s=1.5, warm_up_s=35)


def planned(
    short: Annotated[bool, typer.Option(help="Less than three minutes: one partition, fewer pairs.")] = False,
    rate: Annotated[float | None, typer.Option(min=30, help="Reads offered per second.")] = None,
    blocks: Annotated[
        int | None, typer.Option(min=LEAST_BLOCKS, help="Blocks per partition; each gives two pairs.")
    ] = None,
    first_address: FirstAddress = 1,
) -> Plan:
    """Return what these options ask for."""
    return changed(SHORT if short else FULL, first_address=first_address, rate=rate, blocks=blocks)
