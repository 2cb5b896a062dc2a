# SPDX-License-Identifier: Apache-2.0
"""The load that measures latencies: what it measures is the cluster and not Python's garbage collector."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from cassandra.cluster import ResponseFuture, Session
from cassandra.protocol import ExecuteMessage
from cassandra.query import PreparedStatement
from shared_cluster import SharedCluster
from waiting import until

from isotherm_lab.cluster.client import connected
from isotherm_lab.data import row_table
from isotherm_lab.load.open_loop import OpenLoop, OpenLoopSettings
from isotherm_lab.load.recorder import Recorder
from isotherm_lab.measure import samples

KEYS = 50
REQUESTS = 1000
#: Hardly an answer is as quick: only one that the driver's event loop, having been late, finds beside the timer.
TOO_SOON_S = 1e-6


@pytest.fixture(scope="module")
def addresses(shared_cluster: SharedCluster) -> list[str]:
    """The nodes, which have a table with a row for each key."""
    session = shared_cluster.fresh_keyspace(replication=3)
    data = row_table.default_table(KEYS, value_bytes=100)
    row_table.add(session, data, row_table.TABLE)
    row_table.fill(session, data, seed=1)
    return shared_cluster.addresses


@contextmanager
def collected() -> Iterator[list[object]]:
    """Yield what each collection of garbage would free."""
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


def send(session: Session, statement: PreparedStatement, loop: OpenLoop) -> None:
    """Run the loop until it has sent enough."""
    sending = threading.Thread(target=loop.run, args=(session, statement))
    sending.start()
    try:
        until(lambda: loop.sent >= REQUESTS, "enough requests are sent")
    finally:
        loop.stopping.set()
        sending.join()


@pytest.mark.parametrize("timeout_s", [10.0, TOO_SOON_S], ids=["answered", "failed"])
def test_a_request_leaves_nothing_to_collect(addresses: list[str], tmp_path: Path, timeout_s: float):
    settings = OpenLoopSettings(directory=str(tmp_path), contact_points=addresses, rate=500, keys=KEYS, seed=1)
    recorder = Recorder(tmp_path)
    loop = OpenLoop(settings, recorder)
    with connected(addresses, timeout_s=timeout_s) as session:
        statement = row_table.select(session)
        with collected() as garbage:
            send(session, statement, loop)
            gc.collect()
            # Sessions of other tests send heartbeats meanwhile.
            futures = sum(
                isinstance(each, ResponseFuture) and isinstance(each.message, ExecuteMessage) for each in garbage
            )
            freed = len(garbage)
    recorder.close()
    outcomes = samples.read(tmp_path / samples.FILE)["outcome"]
    failed = np.count_nonzero(outcomes != samples.ANSWERED)
    assert outcomes.size == loop.sent
    assert failed == recorder.counts.total()
    assert (failed > 0.9 * loop.sent) if timeout_s == TOO_SOON_S else (failed == 0)
    assert futures == 0
    # A cycle has two objects at least; what the driver makes anew of a schema meanwhile is some hundreds.
    assert freed < 1.5 * loop.sent
