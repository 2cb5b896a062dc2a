# SPDX-License-Identifier: Apache-2.0
"""What a rejection costs: processor time of all nodes, beside that of the read it spares.

One cluster, two tables with the same rows: `partitions` has no limit, `limited` one read a second. Reads of one
partition are offered to each at the same fixed rate, in windows that alternate there and back (see paired.py) with
windows in which they are not; what the nodes spend in those is subtracted from the others. The table without a limit
spends nothing on counting reads either, so that the spared read is taken at its cheapest. So is the storage: the disk
is fast and the chunk cache holds everything.

This is done twice: at a fixed rate, and with as many reads as the nodes bear. Cassandra's request threads that have
just had work look for more thousands of times a second before they sleep. On nodes that are not saturated most of what
a request costs, whatever becomes of it, is this, and a request that comes in between is served by what would have been
spent anyway. Saturated nodes spend everything on requests, and there a hot partition takes them.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import partition_table
from isotherm_lab.data.partition_table import TABLE, PartitionDataset
from isotherm_lab.data.row_table import KEYSPACE
from isotherm_lab.experiments.hot_partition.run import alter
from isotherm_lab.load.closed_load import ClosedLoadSettings
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.load.paced_load import STREAMS, Pace, PacedLoad, PacedWindow, Saturation
from isotherm_lab.load.pipeline import Lane
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.measure.paired import there_and_back
from isotherm_lab.measure.processor_use import ProcessorUse
from isotherm_lab.progress import Listener, Silent, wait_until

NAME = "rejection-cost"
READ, REJECTION, IDLE = "read", "rejection", "idle"
#: How many reads are offered.
FIXED, SATURATING = "fixed", "saturating"
LIMITED_TABLE = f"{KEYSPACE}.limited"
_LIMIT_PER_S = 1
_NODES = 3


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
SHORT = replace(FULL, rows=(10,), blocks=4, window_s=1.7, warm_up_s=35)


@dataclass(frozen=True)
class Measured:
    """The windows of each kind, for a partition of so many rows; offered is FIXED or SATURATING."""

    rows: int
    offered: str
    windows: dict[str, list[PacedWindow]]


def run(plan: Plan, output: Path, listener: Listener | None = None) -> Iterator[Measured]:
    """Start a cluster, then yield what was measured, one partition after the other; stop it whatever happens."""
    told = listener or Silent()
    told.step("starting three nodes", 25)
    cluster = Cluster.create(
        NAME, [variant("isotherm")] * _NODES, overrides={"file_cache_enabled": True, "file_cache_size": "64MiB"},
        full_compilation=True, first_address=plan.first_address,
    )  # fmt: skip
    with cluster:
        cluster.start(told.note)
        told.step("loading", 5)
        _prepare(cluster, plan)
        told.step("warming up", plan.warm_up_s)
        _warm_up(cluster, plan, output, told)
        usage = ProcessorUse([node.identity.pid for node in cluster.nodes])
        for rows in plan.rows:
            for offered in (FIXED, SATURATING):
                told.step(f"{rows} row{'s' * (rows > 1)}, {offered}", plan.measure_s())
                yield Measured(rows, offered, _measure(cluster, plan, rows, offered, usage, told))


def _prepare(cluster: Cluster, plan: Plan) -> None:
    cluster.order("disk", "fast")
    tables = (TABLE, LIMITED_TABLE)
    with connected(cluster.contact_points(), "ALL", timeout_s=30) as session:
        partition_table.create(session, plan.data, _NODES, tables)
        for table in tables:
            partition_table.fill(session, plan.data, plan.seed, table)
    cluster.order("flush", KEYSPACE)
    control = CqlConnection(cluster.contact_points()[0], CQL_PORT)
    control.query(alter(LIMITED_TABLE, _LIMIT_PER_S))
    control.close()


def _warm_up(cluster: Cluster, plan: Plan, output: Path, told: Listener) -> None:
    """Have reads and rejections of every measured kind done side by side."""
    with ExitStack() as stack:
        loads = []
        for rows in plan.rows:
            for table in (TABLE, LIMITED_TABLE):
                settings = ClosedLoadSettings(
                    contact_points=cluster.contact_points(),
                    directory=str(output / "warm-up" / f"{table}-{rows}"),
                    statement=partition_table.select(table),
                    in_flight_per_node=plan.warm_up_in_flight_per_node,
                    first_key=_key(plan, rows),
                    keys=1,
                    seed=plan.seed,
                )
                loads.append(stack.enter_context(LoadProcess(settings)))
        for load in loads:
            load.wait_until_sending()

        def note() -> None:
            for load in loads:
                load.check()
            told.note(f"{sum(load.latest['answered'] + load.latest['rejected'] for load in loads)}/s")

        wait_until(time.time() + plan.warm_up_s, note)
        for load in loads:
            load.stop()


def _measure(
    cluster: Cluster, plan: Plan, rows: int, offered: str, usage: ProcessorUse, told: Listener
) -> dict[str, list[PacedWindow]]:
    def pace(table: str) -> Pace:
        statement = partition_table.select(table)
        lanes = [
            Lane(address, statement, "QUORUM", STREAMS, [_key(plan, rows)]) for address in cluster.contact_points()
        ]
        return Saturation(lanes, plan.in_flight_per_node) if offered == SATURATING else Pace(lanes, plan.rate)

    with ExitStack() as stack:
        paces: dict[str, Pace | None] = {READ: pace(TABLE), REJECTION: pace(LIMITED_TABLE), IDLE: None}
        loads = {kind: PacedLoad(each, usage.seconds) for kind, each in paces.items()}
        for closed in (*filter(None, paces.values()), *loads.values()):
            stack.callback(closed.close)
        for load in loads.values():
            load.window(plan.window_s, plan.discarded_s)
        windows: dict[str, list[PacedWindow]] = {kind: [] for kind in loads}
        for block in range(plan.blocks):
            for kind in there_and_back(tuple(loads)):
                windows[kind].append(loads[kind].window(plan.window_s, plan.discarded_s))
            told.note(f"{block + 1} of {plan.blocks} blocks")
    return windows


def _key(plan: Plan, rows: int) -> int:
    """Return the key of the partition with so many rows."""
    return {1: 0, plan.data.hot_rows: plan.data.hot_key}[rows]
