# SPDX-License-Identifier: Apache-2.0
"""One partition is limited by a row of a virtual table: on all nodes, across a restart, until it ends or is deleted."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cassandra import ConsistencyLevel, InvalidRequest
from cassandra.query import SimpleStatement
from partition_limits import OPEN, RateLimited, decided_by, keys_where, limit
from plugin_views import LogMark, change_setting, counts
from shared_cluster import KEYSPACE, TABLE_OPTIONS, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

OURS = "this partition of lab.single admits at most 1 reads per second (isotherm.limited_partitions)"
TABLES = "lab.single admits at most 1 reads per second to a partition (per_partition_rate_limit)"
#: More than a limit of one a second admits at once.
READS = 20


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster, marks: list[LogMark]) -> Iterator[SharedCluster]:
    """Two tables; each partition is on two of the three nodes."""
    shared_cluster.fresh_keyspace(replication=2)
    shared_cluster.fill("single", [])
    shared_cluster.session(0).execute(
        f"CREATE TABLE {KEYSPACE}.pairs (name text, day int, value bigint, PRIMARY KEY ((name, day)))"
        f" WITH {TABLE_OPTIONS}"
    )
    yield shared_cluster
    shared_cluster.assert_nothing_failed(marks)


@pytest.fixture(scope="module")
def keys(cluster: SharedCluster) -> list[int]:
    """Keys of which the first node is no replica: it asks, and the two others decide at once."""
    return keys_where(cluster, lambda replicas: cluster.addresses[0] not in replicas, 10)


def limit_key(cluster: SharedCluster, key: Any, index: int = 0, table: str = "single", **columns: Any) -> None:
    row = {"max_reads_per_second": 1, "until": datetime.now(UTC) + timedelta(hours=1)} | columns
    row = {"keyspace_name": KEYSPACE, "table_name": table, "partition_key": str(key)} | row
    marks = ", ".join(["%s"] * len(row))
    cluster.session(index).execute(
        f"INSERT INTO isotherm.limited_partitions ({', '.join(row)}) VALUES ({marks})", list(row.values())
    )


def free_key(cluster: SharedCluster, key: Any, index: int, table: str = "single") -> None:
    cluster.session(index).execute(
        "DELETE FROM isotherm.limited_partitions WHERE keyspace_name = %s AND table_name = %s AND partition_key = %s",
        (KEYSPACE, table, str(key)),
    )


def shown(cluster: SharedCluster, index: int) -> dict[str, Any]:
    rows = cluster.session(index).execute("SELECT * FROM isotherm.limited_partitions")
    return {row.partition_key: row for row in rows}


def refused(cluster: SharedCluster, index: int, key: int) -> str:
    """Read a partition more often than a limit of one a second admits; return the last refusal, empty without one."""
    text = ""
    for _ in range(READS):
        try:
            cluster.read(index, "single", [key], ConsistencyLevel.ONE)
        except RateLimited as refusal:
            text = str(refusal)
    return text


def everywhere(cluster: SharedCluster, condition: Callable[[int], Any], what: str, timeout_s: float = 10) -> None:
    for index in range(len(cluster.nodes)):
        until(lambda index=index: condition(index), f"node {index + 1}: {what}", timeout_s)


def test_a_limit_set_at_one_node_holds_at_all_and_for_no_other_partition(cluster: SharedCluster, keys: list[int]):
    key, other = keys[:2]
    before = counts(cluster.session(1))
    limit_key(cluster, key)
    everywhere(cluster, lambda index: OURS in refused(cluster, index, key), "it refuses")
    for index in range(3):
        assert refused(cluster, index, other) == ""
        row = shown(cluster, index)[str(key)]
        assert (row.table_name, row.max_reads_per_second, row.max_writes_per_second) == ("single", 1, None)
        assert row.until - row.set_at <= timedelta(hours=1)
        assert counts(cluster.session(index))["LimitedPartitions"] == 1
    after = counts(cluster.session(1))
    assert after["LimitRejectedByKey"] - before["LimitRejectedByKey"] > 0
    assert after["LimitRejectedByKey"] <= after["LimitRejected"]
    # Writes have no limit.
    for _ in range(READS):
        cluster.session(1).execute(f"INSERT INTO {KEYSPACE}.single (key, value) VALUES ({key}, 1)")


def test_an_update_changes_what_it_names(cluster: SharedCluster, keys: list[int]):
    cluster.session(2).execute(
        "UPDATE isotherm.limited_partitions SET max_writes_per_second = 7 WHERE keyspace_name = 'lab'"
        f" AND table_name = 'single' AND partition_key = '{keys[0]}'"
    )

    def changed(index: int) -> bool:
        row = shown(cluster, index)[str(keys[0])]
        return (row.max_reads_per_second, row.max_writes_per_second) == (1, 7)

    everywhere(cluster, changed, "it shows both limits")


def test_the_stricter_limit_wins(cluster: SharedCluster, keys: list[int]):
    session, (key, other) = cluster.session(1), keys[:2]
    session.execute(f"ALTER TABLE lab.single WITH {limit(reads=OPEN)}")
    assert OURS in refused(cluster, 1, key)
    assert refused(cluster, 1, other) == ""
    session.execute(f"ALTER TABLE lab.single WITH {limit(reads=OPEN, dry_run=True)}")
    before = decided_by(session, "single")["would_reject_reads"]
    assert refused(cluster, 1, key) == "", "a dry run of the table is one for its partitions"
    assert decided_by(session, "single")["would_reject_reads"] > before
    session.execute(f"ALTER TABLE lab.single WITH {limit(reads=1)}")
    limit_key(cluster, other, index=1, max_reads_per_second=OPEN)
    assert TABLES in refused(cluster, 1, other)
    free_key(cluster, other, index=1)
    session.execute("ALTER TABLE lab.single WITH per_partition_rate_limit = {}")
    assert OURS in refused(cluster, 1, key)


def test_limits_that_are_switched_off_are_off(cluster: SharedCluster, keys: list[int]):
    change_setting(cluster.session(1), "limit.enabled", "false")
    assert refused(cluster, 1, keys[0]) == ""
    change_setting(cluster.session(1), "limit.enabled", "true")
    assert OURS in refused(cluster, 1, keys[0])


@pytest.mark.long
def test_the_node_at_which_it_was_set_may_restart(cluster: SharedCluster, keys: list[int]):
    key = keys[3]
    limit_key(cluster, key)
    everywhere(cluster, lambda index: str(key) in shown(cluster, index), "it shows the limit")
    before = shown(cluster, 1)[str(key)]
    cluster.restart(0)
    everywhere(cluster, lambda index: shown(cluster, index).get(str(key)) == before, "it shows the limit")
    everywhere(cluster, lambda index: OURS in refused(cluster, index, key), "it refuses")
    free_key(cluster, key, index=0)


def test_whoever_deletes_it_frees_it_everywhere(cluster: SharedCluster, keys: list[int]):
    free_key(cluster, keys[0], index=2)
    everywhere(cluster, lambda index: str(keys[0]) not in shown(cluster, index), "it shows it no longer")
    everywhere(cluster, lambda index: refused(cluster, index, keys[0]) == "", "it admits all")


@pytest.mark.parametrize(("kind", "first"), [("", 4), ("UNLOGGED", 6)], ids=["logged", "unlogged"])
def test_a_write_of_it_and_of_others_is_applied_whole_or_not_at_all(
    cluster: SharedCluster, keys: list[int], kind: str, first: int
):
    """One statement of two partitions goes through the batch log, which would apply later what is rejected now."""
    # Each kind has keys that nobody wrote before.
    limited, other = keys[first : first + 2]
    limit_key(cluster, limited, max_reads_per_second=None, max_writes_per_second=1)
    session, rejected, applied = cluster.session(0), 0, None
    for value in range(READS):
        update = f"UPDATE lab.single SET value = {value} WHERE key IN ({limited}, {other})"
        try:
            session.execute(f"BEGIN {kind} BATCH {update}; APPLY BATCH")
            applied = value
        except RateLimited:
            rejected += 1
    assert rejected

    def kept(index: int) -> list[Any]:
        return list(cluster.session(index).execute("SELECT id FROM system.batches"))

    # Cassandra removes one that was applied after its answer, and applies one that is left after twenty seconds.
    until(lambda: all(kept(index) == [] for index in range(3)), "the batch log is empty", timeout_s=10)
    for key in (limited, other):
        query = f"SELECT value FROM lab.single WHERE key = {key}"
        row = session.execute(SimpleStatement(query, consistency_level=ConsistencyLevel.ALL)).one()
        assert (row and row.value) == applied, key
    free_key(cluster, limited, index=0)
    everywhere(cluster, lambda index: str(limited) not in shown(cluster, index), "it shows it no longer")


def test_it_ends_by_itself(cluster: SharedCluster, keys: list[int]):
    key = keys[2]
    limit_key(cluster, key, index=1, until=datetime.now(UTC) + timedelta(seconds=30))
    everywhere(cluster, lambda index: OURS in refused(cluster, index, key), "it refuses")
    everywhere(cluster, lambda index: str(key) not in shown(cluster, index), "it shows it no longer", timeout_s=60)
    everywhere(cluster, lambda index: refused(cluster, index, key) == "", "it admits all")


def test_a_key_of_several_columns(cluster: SharedCluster):
    limit_key(cluster, "a\\:b:7", table="pairs", max_writes_per_second=1, max_reads_per_second=None)
    insert = cluster.session(1).prepare("INSERT INTO lab.pairs (name, day, value) VALUES (?, ?, 1)")

    def rejected() -> bool:
        try:
            for _ in range(READS):
                cluster.session(1).execute(insert, ("a:b", 7))
        except RateLimited as refusal:
            return "this partition of lab.pairs admits at most 1 writes per second" in str(refusal)
        return False

    until(rejected, "writes are refused", timeout_s=10)
    for _ in range(READS):
        cluster.session(1).execute(insert, ("a:b", 8))
    assert "a\\:b:7" in shown(cluster, 1)
    free_key(cluster, "a\\:b:7", index=1, table="pairs")
    everywhere(cluster, lambda index: shown(cluster, index) == {}, "no partition is limited")


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"keyspace_name": "nowhere"}, "keyspace_name: nowhere is refused; allowed: a keyspace that clients"),
        ({"keyspace_name": "system"}, "keyspace_name: system is refused; allowed: a keyspace that clients"),
        ({"table_name": "none"}, "table_name: none is refused; allowed: a table of the keyspace lab"),
        ({"partition_key": "one"}, "partition_key: one is refused; allowed: a partition key of lab.single as text"),
        ({"max_reads_per_second": 0}, "max_reads_per_second: 0 is refused; allowed: a whole number from 1 to 2147"),
        ({"max_writes_per_second": -5}, "max_writes_per_second: -5 is refused; allowed: a whole number from 1"),
        ({"max_reads_per_second": None}, "max_reads_per_second: null is refused; allowed: a whole number from 1"),
        ({"until": None}, "until: null is refused; allowed: an instant after now, at most 7 days ahead"),
        ({"until": datetime(2020, 1, 2)}, "until: 2020-01-02T00:00:00Z is refused; allowed: an instant after now"),
        ({"until": datetime(2999, 1, 2)}, "until: 2999-01-02T00:00:00Z is refused; allowed: an instant after now"),
        ({'"token"': "1"}, "token: 1 is refused; allowed: to set max_reads_per_second, max_writes_per_second and"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_by_name(cluster: SharedCluster, columns: dict[str, Any], sentence: str):
    before = shown(cluster, 0)
    with pytest.raises(InvalidRequest) as refusal:
        limit_key(cluster, 1, **columns)
    assert sentence in str(refusal.value)
    assert shown(cluster, 0) == before


@pytest.mark.parametrize("key", ["a", "a:b", "a:1:2", ":", "a:1:!"])
def test_a_part_of_a_key_is_none(cluster: SharedCluster, key: str):
    with pytest.raises(InvalidRequest) as refusal:
        limit_key(cluster, key, table="pairs")
    assert f"partition_key: {key} is refused" in str(refusal.value)


def test_more_than_so_many_are_refused(cluster: SharedCluster):
    for key in range(64):
        limit_key(cluster, key, max_reads_per_second=OPEN, until=datetime.now(UTC) + timedelta(minutes=5))
    with pytest.raises(InvalidRequest) as refusal:
        limit_key(cluster, 64)
    assert "partition_key: 64 is refused; allowed: at most 64 limited partitions" in str(refusal.value)
    for key in range(64):
        free_key(cluster, key, index=0)
    everywhere(cluster, lambda index: shown(cluster, index) == {}, "no partition is limited")


def test_several_rows_are_not_deleted_at_once(cluster: SharedCluster):
    with pytest.raises(InvalidRequest) as refusal:
        cluster.session(0).execute("DELETE FROM isotherm.limited_partitions WHERE keyspace_name = 'lab'")
    assert "a DELETE of several rows is refused" in str(refusal.value)
