# SPDX-License-Identifier: Apache-2.0
"""Which kinds of write one replica that does not answer holds up: three nodes, RF 3, QUORUM, the third one stopped.

The third node's process is stopped for a few seconds, too short for its peers to take it for dead, and writes of one
kind go through the two others meanwhile. Two of three replicas answer as always, so that a write is held up only if it
waits for the third one in particular: because that one was chosen for it.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cassandra import ConsistencyLevel, DriverException
from cassandra.cluster import Session
from cassandra.query import BatchStatement, SimpleStatement
from rich import box
from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data.row_table import KEYSPACE
from isotherm_lab.progress import Bars

NAME = "held-up"
VARIANTS = ("cassandra", "isotherm")
WRITES = 60
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
        "counter": lambda number: SimpleStatement(
            f"UPDATE {KEYSPACE}.counters SET value = value + 1 WHERE key = {number}"
        ),
    }


def run_and_report(first_address: int, results: Path, console: Console) -> dict[str, Any]:
    """Run both variants; results/held-up/summary.json has how many writes of each kind were held up."""
    summary: dict[str, Any] = {"experiment": NAME, "writes": WRITES, "variants": {}}
    with Bars(console, NAME, len(VARIANTS) * (35 + len(kinds()) * 5)) as bars:
        for name in VARIANTS:
            bars.step(f"{name}: starting three nodes", 30)
            cluster = Cluster.create(f"{NAME}-{name}", [variant(name)] * 3, first_address=first_address)
            with cluster:
                cluster.start(bars.note)
                bars.step(f"{name}: writes", len(kinds()) * 5)
                summary["variants"][name] = measure(cluster)
    folder = results / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    console.print(table(summary))
    return summary


def measure(cluster: Cluster) -> dict[str, int]:
    """Return how many of the writes of each kind the stopped third node held up."""
    addresses = cluster.contact_points()[:2]
    found = {}
    with connected(addresses, "QUORUM", timeout_s=15, repeat=False) as session:
        session.execute(
            f"CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'NetworkTopologyStrategy', 'dc1': 3}}"
        )
        session.execute(f"CREATE TABLE {KEYSPACE}.plain (key bigint PRIMARY KEY, value bigint)")
        session.execute(f"CREATE TABLE {KEYSPACE}.counters (key bigint PRIMARY KEY, value counter)")
        for name, statement in kinds().items():
            for number in range(WRITES):  # compiled, and connected, before anything is measured
                session.execute(statement(20_000 + number), host=_through(session, addresses[number % 2]))
            found[name] = _held_up(session, cluster, addresses, statement)
    return found


def _held_up(session: Session, cluster: Cluster, addresses: list[str], statement: Callable[[int], Any]) -> int:
    ended: list[Any] = []
    futures = []
    with stopped(cluster.nodes[2]):
        for number in range(WRITES):
            futures.append(session.execute_async(statement(number), host=_through(session, addresses[number % 2])))
            futures[-1].add_callbacks(ended.append, ended.append)
            time.sleep(_GAP_S)
        time.sleep(PATIENCE_S)
        held = WRITES - len(ended)
    for future in futures:
        # A held-up write may have run out of time: it is counted already.
        with suppress(DriverException):
            future.result()
    cluster.order("peers", "3")
    return held


def _through(session: Session, address: str):
    return session.cluster.metadata.get_host(address)


@contextmanager
def stopped(node: Node) -> Iterator[None]:
    """Stop a node's process, as if it were too busy for anything, and let it go on."""
    process = node.identity.process()
    process.suspend()
    try:
        yield
    finally:
        process.resume()


def table(summary: dict[str, Any]) -> Table:
    """Return the counts for a person."""
    shown = Table(
        title=f"Of {summary['writes']} writes at QUORUM, held up by one replica of three that does not answer",
        title_justify="left", box=box.SIMPLE_HEAD, padding=0, pad_edge=False,
    )  # fmt: skip
    shown.add_column("kind", no_wrap=True)
    for name in summary["variants"]:
        shown.add_column(name, justify="right")
    for kind in kinds():
        shown.add_row(kind, *(str(own[kind]) for own in summary["variants"].values()))
    return shown
