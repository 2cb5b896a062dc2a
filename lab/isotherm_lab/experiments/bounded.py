# SPDX-License-Identifier: Apache-2.0
"""Keeps the caches of a cluster at their planned size, whatever else goes on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from isotherm_lab.beside import beside
from isotherm_lab.cluster.cluster import Cluster

_EVERY_S = 0.5


@contextmanager
def bounded(cluster: Cluster) -> Iterator[None]:
    """Bound the caches again and again while the block runs: what processes have beside them changes all the time.

    The first failure to do so is raised when the block ends.
    """
    failures: list[BaseException] = []

    def bound(over: threading.Event) -> None:
        try:
            while not over.wait(_EVERY_S):
                cluster.storage.bound(cluster.nodes)
        except Exception as failure:
            failures.append(failure)

    cluster.storage.bound(cluster.nodes)
    with beside(bound, "bounding"):
        yield
    if failures:
        raise failures[0]
