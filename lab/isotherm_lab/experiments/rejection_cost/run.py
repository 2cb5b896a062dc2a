# SPDX-License-Identifier: Apache-2.0
"""What a rejection costs: processor time of all nodes, beside that of the read it spares.

One cluster, two tables with the same rows: `partitions` has no limit, `limited` one read a second. Reads of one
partition are offered to each at the same fixed rate, in windows that alternate there and back (see measure/paired.py)
with windows in which they are not; what the nodes spend in those is subtracted from the others. The table without a
limit spends nothing on counting reads either, so that the spared read is taken at its cheapest. So is the storage: the
disk is fast and the chunk cache holds everything.

This is done twice: at a fixed rate, and with as many reads as the nodes bear. Cassandra's request threads that have
just had work look for more thousands of times a second before they sleep. On nodes that are not saturated most of what
a request costs, whatever becomes of it, is this, and a request that comes in between is served by what would have been
spent anyway. Saturated nodes spend everything on requests, and there a hot partition takes them.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data import partition_table
from isotherm_lab.data.partition_table import TABLE
from isotherm_lab.data.slow_table import KEYSPACE
from isotherm_lab.experiments.loading import loading
from isotherm_lab.experiments.rejection_cost.plan import NAME, Plan
from isotherm_lab.load.closed_load import ClosedLoadSettings
from isotherm_lab.load.closed_loop import ClosedLoop
from isotherm_lab.load.cql_connection import CqlConnection
from isotherm_lab.load.fixed_rate import FixedRate
from isotherm_lab.load.pipeline import Pipeline
from isotherm_lab.load.process import all_sending
from isotherm_lab.load.traffic import Pacing
from isotherm_lab.load.windows import Window, WindowedLoad
from isotherm_lab.measure.paired import counterbalanced
from isotherm_lab.measure.processor_use import ProcessorUse
from isotherm_lab.measure.thread_use import ThreadUse
from isotherm_lab.progress import Listener, Silent, wait_until

READ, REJECTION, IDLE = "read", "rejection", "idle"
#: How many reads are offered.
FIXED, SATURATING = "fixed", "saturating"
LIMITED_TABLE = f"{KEYSPACE}.limited"
_LIMIT_PER_S = 1
_NODES = 3
#: Reads that may be unanswered at one node.
_STREAMS = 4096


@dataclass(frozen=True)
class Measured:
    """The windows of each kind, for a partition of so many rows; offered is FIXED or SATURATING."""

    rows: int
    offered: str
    windows: dict[str, list[Window]]


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
        pids = [node.identity.pid for node in cluster.nodes]
        usage, threads = ProcessorUse(pids), ThreadUse(pids)
        for rows in plan.rows:
            for offered in (FIXED, SATURATING):
                told.step(f"{rows} row{'s' * (rows > 1)}, {offered}", plan.measure_s())
                yield Measured(rows, offered, _measure(cluster, plan, rows, offered, (usage, threads), told))


def _prepare(cluster: Cluster, plan: Plan) -> None:
    tables = (TABLE, LIMITED_TABLE)
    with loading(cluster) as session:
        partition_table.create(session, plan.data, _NODES, tables)
        for table in tables:
            partition_table.fill(session, plan.data, plan.seed, table)
    control = CqlConnection(cluster.contact_points()[0], CQL_PORT)
    control.query(partition_table.limit_reads(LIMITED_TABLE, _LIMIT_PER_S))
    control.close()


def _warm_up(cluster: Cluster, plan: Plan, output: Path, told: Listener) -> None:
    """Have reads and rejections of every measured kind done side by side."""
    settings = [
        ClosedLoadSettings(
            contact_points=cluster.contact_points(),
            directory=str(output / "warm-up" / f"{table}-{rows}"),
            statement=partition_table.select(table),
            in_flight_per_node=plan.warm_up_in_flight_per_node,
            first_key=_key(plan, rows),
            keys=1,
            seed=plan.seed,
        )
        for rows in plan.rows
        for table in (TABLE, LIMITED_TABLE)
    ]
    with all_sending(settings) as loads:

        def note() -> None:
            for load in loads:
                load.check()
            told.note(f"{sum(load.latest['answered'] + load.latest['rejected'] for load in loads)}/s")

        wait_until(time.time() + plan.warm_up_s, note)
        for load in loads:
            load.stop()


def _measure(
    cluster: Cluster, plan: Plan, rows: int, offered: str, spent: tuple[ProcessorUse, ThreadUse], told: Listener
) -> dict[str, list[Window]]:
    def load(pacing: Pacing) -> WindowedLoad:
        # To the last: what nodes spend on a read that is under way at the end is spent on one that is counted.
        usage, threads = spent
        return WindowedLoad(pacing, usage.seconds, rejections_expected=True, to_the_last=True, threads=threads)

    def pacing(table: str) -> Pacing:
        statement = partition_table.select(table)
        pipelines = [
            Pipeline.of_statement(address, statement, "QUORUM", _STREAMS, [_key(plan, rows)])
            for address in cluster.contact_points()
        ]
        if offered == SATURATING:
            return ClosedLoop(pipelines, plan.in_flight_per_node)
        return FixedRate(pipelines, plan.rate)

    with ExitStack() as stack:
        loads = {READ: load(pacing(TABLE)), REJECTION: load(pacing(LIMITED_TABLE)), IDLE: load(ClosedLoop([], 0))}
        for each in loads.values():
            stack.callback(each.close)
        for each in loads.values():
            each.window(plan.window_s, plan.discarded_s)
        windows: dict[str, list[Window]] = {kind: [] for kind in loads}
        for block in range(plan.blocks):
            for kind in counterbalanced(tuple(loads)):
                windows[kind].append(loads[kind].window(plan.window_s, plan.discarded_s))
            told.note(f"{block + 1} of {plan.blocks} blocks")
    return windows


def _key(plan: Plan, rows: int) -> int:
    """Return the key of the partition with so many rows."""
    return {1: 0, plan.data.hot_rows: plan.data.hot_key}[rows]
