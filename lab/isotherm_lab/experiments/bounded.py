# SPDX-License-Identifier: Apache-2.0
"""Keeps the caches of a cluster at their planned size, whatever else goes on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from isotherm_lab.cluster.cluster import Cluster

_EVERY_S = 0.5


@contextmanager
def bounded(cluster: Cluster) -> Iterator[None]:
    """Bound the caches again and again while the block runs: what processes have beside them changes all the time.

    The first failure to do so is raised when the block ends.
    """
    over = threading.Event()
    failures: list[BaseException] = []

    def bound() -> None:
        try:
            while not over.wait(_EVERY_S):
                cluster.storage.bound(cluster.nodes)
        except Exception as failure:
            failures.append(failure)

    cluster.storage.bound(cluster.nodes)
    thread = threading.Thread(target=bound, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if failures:
        raise failures[0]
