# SPDX-License-Identifier: Apache-2.0
"""While reads wait for a thread, the partition that holds most threads is cut to its share, and no other is."""

from collections.abc import Callable

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from coordinators import execute_all
from hammering import Outcomes, hammer
from plugin_views import LogMark, change_setting, counts
from shared_cluster import KEYSPACE, TABLE_OPTIONS, SharedCluster

from isotherm_lab.data import row_table

pytestmark = pytest.mark.contract

TABLE = f"{KEYSPACE}.shared"
#: Each read is one of the slow disk: far fewer a second than are asked for.
DATA = row_table.RowDataset(keys=9, value_bytes=100, service_us=11_000, parallel=2, row_cache=False)
HOT = 0
#: More than a node has threads for reads.
IN_FLIGHT = 96
#: One request of so many reads another partition.
ONE_IN = 50
SECONDS = 5


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    """The cluster with the table on every node's slow disk."""
    session = shared_cluster.fresh_keyspace(replication=3)
    row_table.add(session, DATA, TABLE)
    session.execute(f"ALTER TABLE {TABLE} WITH {TABLE_OPTIONS}")
    insert = session.prepare(f"INSERT INTO {TABLE} (key, value) VALUES (?, ?)")
    execute_all(session, insert, [(key, bytes(DATA.value_bytes)) for key in range(DATA.keys)], ConsistencyLevel.ALL)
    shared_cluster.cluster.order("flush", KEYSPACE)
    return shared_cluster


@pytest.fixture
def saturated(cluster: SharedCluster) -> Callable[[str], tuple[Outcomes, int, int]]:
    """Return what saturates the first node: what clients saw, what was refused, and what would have been."""
    session = cluster.session(0)

    def read(number: int) -> SimpleStatement:
        key = HOT if number % ONE_IN else 1 + number // ONE_IN % (DATA.keys - 1)
        return SimpleStatement(f"SELECT value FROM {TABLE} WHERE key = {key}", consistency_level=ConsistencyLevel.ONE)

    def told(name: str) -> int:
        return sum(counts(cluster.session(index))[name] for index in range(len(cluster.nodes)))

    def under(mode: str) -> tuple[Outcomes, int, int]:
        for index in range(len(cluster.nodes)):
            change_setting(cluster.session(index), "limit.fair_share", mode)
        before = told("FairShareRefused"), told("FairShareWouldRefuse")
        try:
            outcomes = hammer([session], read, seconds=SECONDS, in_flight=IN_FLIGHT)
        finally:
            for index in range(len(cluster.nodes)):
                change_setting(cluster.session(index), "limit.fair_share", "off")
        return outcomes, told("FairShareRefused") - before[0], told("FairShareWouldRefuse") - before[1]

    return under


def test_on_it_refuses_the_partition_that_holds_the_threads_and_no_other(saturated):
    outcomes, refused, _ = saturated("on")
    assert outcomes.uncertain == {}
    assert refused >= len(outcomes.rejected) > 0
    assert outcomes.acknowledged
    assert [number for number in outcomes.rejected if number % ONE_IN == 0] == []


def test_a_dry_run_counts_and_refuses_nothing(saturated):
    outcomes, refused, would = saturated("dry_run")
    assert (outcomes.uncertain, outcomes.rejected, refused) == ({}, set(), 0)
    assert would > 0


def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
