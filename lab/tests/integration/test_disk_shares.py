# SPDX-License-Identifier: Apache-2.0
"""Default tables behind a page cache: equal nodes serve equally many reads, one with a disk of half the speed fewer."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from cassandra.cluster import Session
from coordinators import Coordinators
from plugin_views import change_setting, heat
from shared_cluster import FIRST_ADDRESS
from waiting import until

from isotherm_lab.cluster import page_cache_storage
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.slow_volume import volume
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data.row_table import TABLE
from isotherm_lab.data.slow_table import KEYSPACE
from isotherm_lab.experiments.bounded import bounded
from isotherm_lab.experiments.cold_restart.plan import PAGE_CACHE_EXCEEDS
from isotherm_lab.experiments.cold_restart.run import node_settings, prepare
from isotherm_lab.load.process import LoadProcess
from isotherm_lab.load.read_load import ReadLoadSettings
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import NodeCounters
from isotherm_lab.progress import Silent, wait_until

PLAN = PAGE_CACHE_EXCEEDS
SETTLE_S, WATCH_S = 15, 15
#: A moving average becomes sure of a change of two times only after some time constants.
SLOW_SETTLES_S = 45
#: Two halves of a minute each in which the nodes look at their own reads, and time to hear of the votes.
CHOOSING_S = 200
#: With 100 reads/s a node reads each of its partitions about once meanwhile.
CACHES_FILL_S = 30
#: The probe writes once a second.
PROBE_S = 1.5


@pytest.fixture(scope="module", autouse=True)
def possible(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A disk whose reads take time."""
    missing = page_cache_storage.missing()
    if missing:
        pytest.skip(missing)
    try:
        volume.attempt(tmp_path_factory.mktemp("disk"))
    except volume.VolumeUnusable as lack:
        pytest.skip(str(lack))


@dataclass
class Loaded:
    """A cluster under load."""

    cluster: Cluster
    load: LoadProcess
    coordinators: Coordinators

    def wait(self, seconds: float) -> tuple[float, float]:
        """Let the load go on; return when it was."""
        begin = time.time()
        wait_until(begin + seconds, self.load.check)
        return begin, begin + seconds

    def settled(self, seconds: float = SETTLE_S) -> tuple[float, float]:
        """Wait until what was changed shows, and watch; return the seconds watched."""
        self.wait(seconds)
        watched = self.wait(WATCH_S)
        self.wait(PROBE_S)
        return watched

    def change(self, name: str, value: str) -> None:
        """Change a setting on all nodes."""
        for session in self.sessions():
            change_setting(session, name, value)

    def placements(self) -> set[str]:
        """Return the placements that the nodes have in force."""
        return {
            row.placement
            for session in self.sessions()
            for row in heat(session, TABLE.removeprefix(f"{KEYSPACE}.")).values()
        }

    def sessions(self) -> list[Session]:
        """Return a session at each node."""
        return [self.coordinators.at(node.address) for node in self.cluster.nodes]

    def rates(self, column: str, window: tuple[float, float]) -> np.ndarray:
        """Return what each node counted a second."""
        return np.array(
            [NodeCounters.of_node(node.directory).rate(column, *window) for node in self.cluster.nodes]
        )  # fmt: skip


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    """Three nodes with the plugin; a fifth of the data or more is on the disk alone."""
    output = tmp_path_factory.mktemp("load")
    cluster = Cluster.create(
        "integration-disks", [variant("isotherm")] * 3, overrides=node_settings(PLAN), first_address=FIRST_ADDRESS,
        storage=page_cache_storage.page_cache_storage(PLAN.page_cache),
    )  # fmt: skip
    with cluster:
        cluster.start()
        prepare(cluster, PLAN, Silent())
        settings = ReadLoadSettings(
            contact_points=cluster.contact_points(), directory=str(output), rate=PLAN.rate, keys=PLAN.data.keys, seed=3
        )
        with LoadProcess(settings) as load, bounded(cluster):
            load.wait_until_sending()
            with closing(Coordinators()) as coordinators:
                yield Loaded(cluster, load, coordinators)


def test_reads_of_equal_nodes_are_within_a_tenth_of_their_mean(loaded: Loaded):
    loaded.wait(SETTLE_S)
    reads = loaded.rates("reads", loaded.settled())
    assert np.abs(reads / reads.mean() - 1).max() <= 0.1, reads


def test_a_disk_of_half_the_speed_serves_about_half_as_many_reads(loaded: Loaded):
    loaded.cluster.storage.slow([loaded.cluster.nodes[-1]], times=2)
    loaded.wait(SLOW_SETTLES_S - SETTLE_S)
    # There and back: the share is the cost's doing.
    for enabled in ("true", "false") * 2:
        loaded.change("heat.enabled", enabled)
        # Of clients: the copies with which the node warms itself at first are not what the shares give it.
        reads = loaded.rates("reads", loaded.settled())
        if enabled == "true":
            assert 0.35 < reads[2] / reads[:2].mean() < 0.65, reads
        else:
            assert np.abs(reads / reads.mean() - 1).max() <= 0.1, reads


def test_nobody_waits_longer_beside_it_once_the_nodes_have_chosen_the_placement(loaded: Loaded):
    loaded.change("heat.placement", "auto")
    loaded.change("heat.enabled", "true")
    until(lambda: loaded.placements() == {"affinity"}, "the nodes choose affinity", timeout_s=CHOOSING_S)
    by_cost, stock = [], []
    # There and back: what the machine does meanwhile is of neither.
    for windows, enabled in ((by_cost, "true"), (stock, "false"), (by_cost, "true"), (stock, "false")):
        loaded.change("heat.enabled", enabled)
        windows.append(loaded.settled(CACHES_FILL_S))
        assert loaded.placements() == {"affinity"}
    loaded.load.stop()

    records = samples.read(Path(loaded.load.directory) / "requests.bin")
    medians = [
        samples.percentile_ms(np.concatenate([samples.between(records, *window) for window in windows]), 50)
        for windows in (by_cost, stock)
    ]
    assert medians[0] <= 1.05 * medians[1], medians
    # Each node keeps a part of the data.
    misses = [np.mean([loaded.rates("disk_reads", window).sum() for window in windows]) for windows in (by_cost, stock)]
    assert misses[0] <= 0.8 * misses[1], misses
