# SPDX-License-Identifier: Apache-2.0
"""Storage page-cache on a real node: warm reads leave the disk alone, cold ones do not, and their rate is bounded.

On a machine on which something else evicts page cache, warm reads are none.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from resident_pages import resident_bytes
from single_node import single_node

from isotherm_lab.cluster import page_cache_storage
from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node_disks import Speed
from isotherm_lab.cluster.page_cache_storage import Bounds
from isotherm_lab.data import row_table
from isotherm_lab.experiments.cold_restart.plan import PAGE_CACHE_EXCEEDS
from isotherm_lab.experiments.loading import loading
from isotherm_lab.measure.node_counters import NodeCounters

MISSING = page_cache_storage.missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

READS_PER_S = 150
DATA = row_table.default_table(keys=3000, value_bytes=16000)
#: Of the files, with a bound of half of them: what else a process has may give way too, and leave them more.
LEFT = 0.7
#: The probe writes once a second.
PROBE_S = 1.5


@contextmanager
def filled(data: row_table.RowDataset) -> Iterator[Cluster]:
    """A node with far more page cache than data, as its commit log and libraries take of it too; loaded, flushed."""
    storage = page_cache_storage.page_cache_storage(Bounds(cache_mib=256, disk=Speed(READS_PER_S)))
    with single_node("cassandra", {"file_cache_enabled": False}, storage=storage) as cluster:
        cluster.start()
        with loading(cluster) as session:
            row_table.create(session, data, replication=1)
            row_table.fill(session, data, seed=1)
        cluster.storage.slow(cluster.nodes)
        yield cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with filled(DATA) as cluster:
        yield cluster


def sstables(cluster: Cluster) -> list[Path]:
    """Return the files with the rows."""
    return sorted((cluster.nodes[0].directory / "data" / "data").glob("lab/rows-*/*-Data.db"))


def disk_reads(cluster: Cluster, work: Callable[[], None]) -> tuple[float, float]:
    """Return the disk reads while the work was done, and the seconds that it took."""
    time.sleep(PROBE_S)
    begin = time.time()
    work()
    took = time.time() - begin
    time.sleep(PROBE_S)
    counters = NodeCounters.of_node(cluster.nodes[0].directory)
    return counters.increase("disk_reads", begin, begin + took + PROBE_S), took


def read(cluster: Cluster, keys: np.ndarray) -> None:
    """Read these rows, many at once."""
    with connected(cluster.contact_points(), "ONE", timeout_s=60) as session:
        row_table.read(session, keys)


def return_cold(cluster: Cluster) -> None:
    """Stop the node, empty its page cache, and start it; its disk is slow then."""
    node = cluster.nodes[0]
    node.stop()
    cluster.storage.cool(node)
    assert sum(map(resident_bytes, sstables(cluster))) == 0
    cluster.storage.fast([node])
    node.start()
    cluster.save()
    node.wait_until_answers()
    cluster.storage.slow([node])


def test_a_cold_node_reads_its_index_too():
    """Of the rows of the cold restart, each in three of the table's chunks of 16 KiB."""
    data = PAGE_CACHE_EXCEEDS.data
    some = np.random.default_rng(2).permutation(data.keys)[:400]
    with filled(data) as cluster:
        return_cold(cluster)
        cold, _ = disk_reads(cluster, lambda: read(cluster, some))
    print(f"{cold / some.size:.1f} disk reads a row")
    assert 4.2 < cold / some.size < 5


def test_warm_reads_leave_the_disk_alone_and_cold_ones_are_bounded(cluster: Cluster):
    everything = np.arange(DATA.keys)
    read(cluster, everything)
    # The memory of a process that has just served its first reads has grown; the bound is for its page cache.
    cluster.storage.bound(cluster.nodes)
    warm, _ = disk_reads(cluster, lambda: read(cluster, everything))
    assert warm < DATA.keys * 0.01

    cluster.nodes[0].stop()
    # A process that ends leaves its files in the page cache.
    assert sum(map(resident_bytes, sstables(cluster))) > DATA.keys * DATA.value_bytes * 0.9
    return_cold(cluster)
    some = np.random.default_rng(2).permutation(DATA.keys)[:1000]
    cold, took = disk_reads(cluster, lambda: read(cluster, some))
    assert cold > 500
    # As many as are waited for at once, and no more than the bound allows.
    assert 0.6 * READS_PER_S < cold / took < 1.15 * READS_PER_S


def test_a_smaller_page_cache_evicts(cluster: Cluster):
    node = cluster.nodes[0]
    cluster.storage.fast([node])
    read(cluster, np.arange(DATA.keys))
    assert sum(map(resident_bytes, sstables(cluster))) > DATA.keys * DATA.value_bytes * 0.9
    half = Bounds(cache_mib=24, disk=Speed(READS_PER_S))
    cluster.storage.bounds = half
    cluster.storage.bound([node])
    assert sum(map(resident_bytes, sstables(cluster))) < DATA.keys * DATA.value_bytes * LEFT
    missed, _ = disk_reads(cluster, lambda: read(cluster, np.random.default_rng(3).permutation(DATA.keys)))
    assert missed > DATA.keys * 0.3
