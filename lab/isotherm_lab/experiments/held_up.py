# SPDX-License-Identifier: Apache-2.0
"""Which kinds of write one replica that does not answer holds up: three nodes, RF 3, QUORUM, the third one stopped.

The third node's process is stopped for a few seconds, too short for its peers to take it for dead, and writes of one
kind go through the two others meanwhile. Two of three replicas answer as always, so that a write is held up only if it
waits for the third one in particular: because that one was chosen for it.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cassandra import ConsistencyLevel, DriverException
from cassandra.cluster import Session
from cassandra.query import BatchStatement, SimpleStatement
from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.suspension import suspended
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data.slow_table import KEYSPACE, create_keyspace
from isotherm_lab.errors import LabError
from isotherm_lab.experiments import promises
from isotherm_lab.experiments.experiment import Experiment
from isotherm_lab.experiments.options import FirstAddress
from isotherm_lab.experiments.promises import Promise
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.measure import summary
from isotherm_lab.progress import Bars

NAME = "held-up"
PLUGIN = "isotherm"
VARIANTS = ("cassandra", PLUGIN)
COUNTER = "counter"
WRITES = 60
#: Each of two coordinators may try the stopped node, which leads nothing, after a second.
_KNOWN_HELD = 2
_GAP_S = 0.02
#: What is not answered so long after the last write was sent, and the third node still stopped, is held up.
PATIENCE_S = 0.7
_INSERT = f"INSERT INTO {KEYSPACE}.plain (key, value) VALUES (%s, %s)"


def kinds() -> dict[str, Callable[[int], Any]]:
    """Return each kind of write, as the statement for the n-th."""

    def batch(number: int) -> BatchStatement:
        logged = BatchStatement(consistency_level=ConsistencyLevel.QUORUM)
        logged.add(SimpleStatement(_INSERT), (number, number))
        logged.add(SimpleStatement(_INSERT), (number + 1, number))
        return logged

    return {
        "plain": lambda number: SimpleStatement(_INSERT % (number, number)),
        "lightweight transaction": lambda number: SimpleStatement(_INSERT % (10_000 + number, 0) + " IF NOT EXISTS"),
        "logged batch": batch,
        COUNTER: lambda number: SimpleStatement(
            f"UPDATE {KEYSPACE}.counters SET value = value + 1 WHERE key = {number}"
        ),
    }


@dataclass(frozen=True)
class Plan:
    """Where the nodes are."""

    first_address: int = 1


def planned(first_address: FirstAddress = 1) -> Plan:
    """Return what these options ask for."""
    return Plan(first_address)


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run both variants; the summary has how many writes of each kind succeeded, failed and were held up.

    LabError when a write failed at once: that one was not held up, and did not get through either. BrokenPromiseError
    when the plugin had counter updates held up.
    """
    variants: dict[str, dict[str, dict[str, int]]] = {}
    with Bars(console, NAME, len(VARIANTS) * (35 + len(kinds()) * 5)) as bars:
        for name in VARIANTS:
            bars.step(f"{name}: starting three nodes", 30)
            cluster = Cluster.create(f"{NAME}-{name}", [variant(name)] * 3, first_address=plan.first_address)
            with cluster:
                cluster.start(bars.note)
                bars.step(f"{name}: writes", len(kinds()) * 5)
                variants[name] = measure(cluster)
    summary.write(folder, {"experiment": NAME, "writes": WRITES, "variants": variants})
    console.print(table(variants))
    refuse_failed(variants)
    promises.report(promised(variants), console)


def promised(variants: Mapping[str, Mapping[str, Mapping[str, int]]]) -> list[Promise]:
    """Return what is promised of the counts (docs/counter-leaders.md)."""
    return [Promise(f"{PLUGIN}, {COUNTER}: held up", variants[PLUGIN][COUNTER]["held"], 0, _KNOWN_HELD)]


def measure(cluster: Cluster) -> dict[str, dict[str, int]]:
    """Return how many of the writes of each kind succeeded, failed, and were held up by the stopped third node."""
    addresses = cluster.contact_points()[:2]
    found = {}
    with connected(addresses, "QUORUM", timeout_s=15, repeat=False) as session:
        create_keyspace(session, replication=3)
        session.execute(f"CREATE TABLE {KEYSPACE}.plain (key bigint PRIMARY KEY, value bigint)")
        session.execute(f"CREATE TABLE {KEYSPACE}.counters (key bigint PRIMARY KEY, value counter)")
        for name, statement in kinds().items():
            for number in range(WRITES):  # compiled, and connected, before anything is measured
                session.execute(statement(20_000 + number), host=_through(session, addresses[number % 2]))
            found[name] = count_outcomes(session, cluster, addresses, statement)
    return found


def count_outcomes(
    session: Session, cluster: Cluster, addresses: list[str], statement: Callable[[int], Any]
) -> dict[str, int]:
    """Send writes of one kind while the third node is stopped, and return their account."""
    succeeded: list[Any] = []
    failed: list[BaseException] = []
    futures = []
    with suspended(cluster.nodes[2]):
        for number in range(WRITES):
            futures.append(session.execute_async(statement(number), host=_through(session, addresses[number % 2])))
            futures[-1].add_callbacks(succeeded.append, failed.append)
            time.sleep(_GAP_S)
        time.sleep(PATIENCE_S)
        found = outcomes(len(succeeded), len(failed))
    for future in futures:
        # A held-up write may have run out of time: it is counted already.
        with suppress(DriverException):
            future.result()
    cluster.order("peers", "3")
    return found


def outcomes(succeeded: int, failed: int) -> dict[str, int]:
    """Return the account of all writes of a kind, of which so many had ended so when the patience was over."""
    return {"succeeded": succeeded, "failed": failed, "held": WRITES - succeeded - failed}


def refuse_failed(variants: Mapping[str, Mapping[str, Mapping[str, int]]]) -> None:
    """Raise a LabError that says which writes failed before they could be called held up."""
    wrong = [
        f"{name}, {kind}: {own['failed']}"
        for name, kinds_of in variants.items()
        for kind, own in kinds_of.items()
        if own["failed"]
    ]
    if wrong:
        raise LabError(f"Of {WRITES} writes, these failed meanwhile: {'; '.join(wrong)}.")


def _through(session: Session, address: str):
    return session.cluster.metadata.get_host(address)


def table(variants: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Table:
    """Return the counts by variant and kind for a person."""
    shown = result_table(
        f"Of {WRITES} writes at QUORUM, held up by one replica of three that does not answer",
        left=["kind"],
        right=[column for name in variants for column in (f"{name}\nheld up", "failed\nmeanwhile")],
    )
    for kind in kinds():
        shown.add_row(kind, *(str(own[kind][which]) for own in variants.values() for which in ("held", "failed")))
    return shown


EXPERIMENT = Experiment(
    name=NAME,
    help="Count the writes, kind by kind, that one replica holds up which does not answer for a moment.",
    plan=planned,
    run=run_and_report,
)
