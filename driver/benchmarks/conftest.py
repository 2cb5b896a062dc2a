# SPDX-License-Identifier: Apache-2.0
"""One processor, so that a plan does not migrate in the middle; and one cluster for all rows."""

import os
from collections.abc import Iterator

import pytest
from cassandra import policies as driver
from ring import DCS, NODES, RACKS, BenchCluster, bound_statements, hosts_of, tablets_like

IS_SCYLLA = hasattr(driver, "RackAwareRoundRobinPolicy")
#: Plans in one timed round; a median over rounds is divided by it.
PLANS = 500


@pytest.fixture(scope="session", autouse=True)
def one_processor() -> Iterator[None]:
    """Keep the process on the last of its processors, where nothing else of the benchmark runs."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.fixture(scope="session")
def queries() -> list:
    """Bound statements for random keys, the same in every run."""
    return bound_statements(PLANS)


@pytest.fixture(scope="session")
def ring() -> BenchCluster:
    """The ring of 45 nodes, without tablets."""
    return BenchCluster(hosts_of(DCS, RACKS, NODES))


@pytest.fixture(scope="session")
def ring_of_tablets() -> BenchCluster:
    """The same ring and, under scylla-driver, the table's tablets."""
    made = BenchCluster(hosts_of(DCS, RACKS, NODES))
    if IS_SCYLLA:
        tablets_like(made)
    return made
