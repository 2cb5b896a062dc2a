# SPDX-License-Identifier: Apache-2.0
"""What decides a run of the hot partition: the data, both clients, the limit, and how long each phase is."""

from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from isotherm_lab.data.partition_table import PartitionDataset
from isotherm_lab.experiments.options import FirstAddress, changed

NAME = "hot-partition"
BACKGROUND, HOT, LIMITED = "background", "hot", "limited"
#: The promise: so long after the ALTER the background is back.
RECOVERY_S = 5.0


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run."""

    #: A row is about as long as a chunk and lies in two of them, the hot partition's rows in eleven. After it come the
    #: second hot partition and the costly one.
    data: PartitionDataset = field(
        default_factory=lambda: PartitionDataset(
            keys=3000, hot_rows=10, further_rows=(10, 100), value_bytes=4000,
            service_us=15_000, parallel=16, chunk_kib=4,
        )
    )  # fmt: skip
    #: Of the disk's chunks a read of each kind has so many read.
    chunks_of_row: int = 2
    chunks_of_hot: int = 11
    chunks_of_costly: int = 110
    #: A chunk takes so many service times, but for the costly partition one: a read of it is to end within its timeout.
    slowness: int = 2
    background_per_node: int = 4
    hot_factor: int = 8
    limit_per_s: int = 10
    #: The table's option of that name; Cassandra's default asks a third replica where a read takes long.
    speculative_retry: str = "99p"
    #: How long the hot application takes to come again after a rejection. With 96 reads in flight it so offers somewhat
    #: less than 1,920 reads a second.
    pause_after_rejection_s: float = 0.05
    #: Reads a second of the costly partition: a tenth of what the background then reads.
    costly_per_s: float = 32
    #: Of these, how many a coordinator may leave unanswered: more than it can within its timeout.
    most_unanswered: int = 200
    #: Requests a second of a client that was hot and comes again: each coordinator has one within three seconds.
    again_per_s: float = 1
    #: How long a write holds a thread of each replica: so long that what is refused is most of the processors' work.
    #: Of 60 ms they were two thirds busy, and what other machines took of them decided what was measured.
    write_ms: int = 120
    hot_writes_factor: int = 16
    pause_after_refused_write_s: float = 0.1
    warm_up_s: float = 15
    settle_s: float = 5
    phase_s: float = 20
    limited_s: float = 30
    first_address: int = 1
    seed: int = 20221103

    def expected_s(self) -> float:
        """Return about how long a run takes."""
        limited = 2 * (self.settle_s + self.phase_s) + self.limited_s
        fair = 2 * self.settle_s + self.phase_s + self.limited_s + RECOVERY_S
        unshared = self.settle_s + self.phase_s
        writes = self.settle_s + unshared + fair
        return 45 + self.warm_up_s + limited + 3 * fair + unshared + writes


FULL = Plan()
SHORT = replace(FULL, warm_up_s=10, settle_s=4, phase_s=10, limited_s=20)


def planned(
    short: Annotated[bool, typer.Option(help="Five minutes: shorter phases.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="The limit that ALTER TABLE sets, in reads/s of a partition.")] = 10,
    pause: Annotated[
        float | None, typer.Option(min=0, help="Seconds until a rejected application comes again; 0: at once.")
    ] = None,
    no_speculation: Annotated[
        bool, typer.Option("--no-speculation", help="A table with speculative_retry = 'NEVER'.")
    ] = False,
    first_address: FirstAddress = 1,
) -> Plan:
    """Return what these options ask for."""
    return changed(
        SHORT if short else FULL, limit_per_s=limit, pause_after_rejection_s=pause,
        speculative_retry="NEVER" if no_speculation else None, first_address=first_address,
    )  # fmt: skip
