# SPDX-License-Identifier: Apache-2.0
"""The load that measures latencies: what it measures is the cluster and not Python's garbage collector."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cassandra.cluster import Session
from shared_cluster import SharedCluster
from waiting import until

from isotherm_lab.cluster.client import connected
from isotherm_lab.data import row_table
from isotherm_lab.load.open_loop import OpenLoop, OpenLoopSettings
from isotherm_lab.load.recorder import Recorder

KEYS = 50
REQUESTS = 500
#: Objects of what the driver does beside the requests, a heartbeat or an event for one.
SLACK = 100
#: No answer is as quick.
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
def counted() -> Iterator[list[int]]:
    """Yield how many objects each collection of garbage frees."""
    freed: list[int] = []

    def collected(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            freed.append(info["collected"])

    gc.collect()
    gc.callbacks.append(collected)
    try:
        yield freed
    finally:
        gc.callbacks.remove(collected)


def send(session: Session, loop: OpenLoop) -> None:
    """Run the loop until it has sent enough."""
    sending = threading.Thread(target=loop.run, args=(session, row_table.select(session)))
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
        # The first request is not measured: the driver makes what all share.
        session.execute(row_table.select(session), (1,), timeout=10)
        with counted() as freed:
            send(session, loop)
            gc.collect()
    recorder.close()
    assert recorder.counts.total() == (loop.sent if timeout_s == TOO_SOON_S else 0)
    assert sum(freed) < SLACK
