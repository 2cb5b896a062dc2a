# SPDX-License-Identifier: Apache-2.0
"""The hottest partitions by the time of the threads: of tables without a limit too, by key."""

from collections.abc import Iterator
from typing import Any

import pytest
from cassandra.metadata import Murmur3Token
from coordinators import execute_all
from partition_limits import CLOSED, RateLimited
from plugin_views import LogMark, change_setting, counts, hottest_partitions
from shared_cluster import TABLE_OPTIONS, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

KEYS = range(3)
HOT = 1
QUORUM = 4


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster, marks: list[LogMark]) -> Iterator[SharedCluster]:
    """A table without a limit, on all nodes, and shares that are measured on the first two."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("plain", KEYS)
    shared_cluster.session(0).execute(
        f"CREATE TABLE lab.counted (key bigint PRIMARY KEY, n counter) WITH {TABLE_OPTIONS}"
    )
    for index in (0, 1):
        change_setting(shared_cluster.session(index), "limit.fair_share", "dry_run")
    yield shared_cluster
    for index in (0, 1):
        change_setting(shared_cluster.session(index), "limit.fair_share", "off")
    shared_cluster.assert_nothing_failed(marks)


def read(cluster: SharedCluster, coordinator: int = 0) -> None:
    session = cluster.session(coordinator)
    select = session.prepare("SELECT value FROM lab.plain WHERE key = ?")
    execute_all(session, select, [(HOT,)] * 300, QUORUM)


def test_a_partition_is_shown_with_its_part_of_the_threads_time_on_each_node_that_measures(cluster: SharedCluster):
    for index in (0, 1):

        def measured(index: int = index) -> Any:
            read(cluster)
            row = hottest_partitions(cluster.session(index), "plain").get(str(HOT))
            return row if row and row.read_time_share else None

        row = until(measured, f"node {index + 1} shows the partition")
        assert 0 < row.read_time_share <= 1
        assert row.token == str(Murmur3Token.hash_fn(HOT.to_bytes(8, "big", signed=True)))
        assert row.saturated in (False, True)
        assert row.refused_by_fair_share_per_second == 0, "a dry run refuses nothing"
        assert row.reads_per_second is None, "operations are counted of limited partitions alone"
        told = counts(cluster.session(index))
        assert {told["FairShareSaturated"], told["FairShareSaturatedWrites"]} <= {0, 1}
    assert hottest_partitions(cluster.session(2), "plain") == {}


@pytest.mark.parametrize(
    ("table", "statement", "shown_by"),
    [
        # Each replica applies a write; the leader of a counter update alone has the threads for it.
        ("plain", "INSERT INTO lab.plain (key, value) VALUES (?, 1)", 2),
        ("counted", "UPDATE lab.counted SET n = n + 1 WHERE key = ?", 1),
    ],
)
def test_so_it_is_with_its_part_of_the_time_of_the_threads_that_write(
    cluster: SharedCluster, table: str, statement: str, shown_by: int
):
    session = cluster.session(0)
    write = session.prepare(statement)

    def measured() -> list[Any]:
        execute_all(session, write, [(HOT,)] * 300, QUORUM)
        rows = [hottest_partitions(cluster.session(index), table).get(str(HOT)) for index in (0, 1)]
        found = [row for row in rows if row and row.write_time_share]
        return found if len(found) >= shown_by else []

    for row in until(measured, "the partition is shown"):
        assert 0 < row.write_time_share <= 1
        assert row.token == str(Murmur3Token.hash_fn(HOT.to_bytes(8, "big", signed=True)))
        assert row.writes_saturated in (False, True)
        assert row.refused_writes_by_fair_share_per_second == 0, "a dry run refuses nothing"
    assert hottest_partitions(cluster.session(2), table) == {}


def test_it_says_which_limit_rejects(cluster: SharedCluster):
    session = cluster.session(0)

    def rejected(by_key: bool) -> Any:
        for _ in range(100):
            with pytest.raises(RateLimited):
                for _ in range(20):
                    session.execute(f"SELECT value FROM lab.plain WHERE key = {HOT}")
        row = hottest_partitions(session, "plain").get(str(HOT))
        right = row and row.rejected_per_second and (row.rejected_by_key_limit_per_second > 0) == by_key
        return row if right else None

    session.execute(
        "INSERT INTO isotherm.limited_partitions"
        " (keyspace_name, table_name, partition_key, max_reads_per_second, until)"
        f" VALUES ('lab', 'plain', '{HOT}', 1, toTimestamp(now()) + 1h)"
    )
    row = until(lambda: rejected(by_key=True), "rejections by the partition's limit are shown")
    assert row.rejected_by_key_limit_per_second == row.rejected_per_second
    session.execute(f"ALTER TABLE lab.plain WITH per_partition_rate_limit = {{'max_reads_per_second': {CLOSED}}}")
    before = counts(session)["LimitRejectedByKey"]

    def by_table() -> Any:
        row = rejected(by_key=True)
        return row if row and row.rejected_per_second > 2 * row.rejected_by_key_limit_per_second else None

    until(by_table, "rejections by the table's stricter limit are shown")
    assert counts(session)["LimitRejectedByKey"] == before
    session.execute(
        "DELETE FROM isotherm.limited_partitions WHERE keyspace_name = 'lab' AND table_name = 'plain'"
        f" AND partition_key = '{HOT}'"
    )


def test_what_is_not_measured_is_not_shown(cluster: SharedCluster):
    session = cluster.session(1)
    session.execute("ALTER TABLE lab.plain WITH per_partition_rate_limit = {}")

    def read_here() -> dict[str, Any]:
        read(cluster, 1)
        return hottest_partitions(session, "plain")

    until(read_here, "what is measured is shown")
    change_setting(session, "limit.fair_share", "off")
    assert read_here() == {}
    assert counts(session)["FairShareSaturated"] == 0
