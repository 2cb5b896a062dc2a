# SPDX-License-Identifier: Apache-2.0
"""What a rejection costs and leaves behind: nothing; and how limits are tried out and switched off."""

from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel, InvalidRequest, ReadFailure
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from local_work import work_done
from partition_limits import (
    CLOSED,
    OPEN,
    RateLimited,
    decided,
    is_rejected,
    keys_where,
    limit,
    passed_over,
    set_limit,
    unanswered,
)
from plugin_views import LogMark, change_setting, counts
from shared_cluster import TABLE_OPTIONS, SharedCluster
from waiting import until

pytestmark = pytest.mark.contract

#: One operation may follow another within this limit, three may not.
TIGHT = 2
#: Eight operations at once are within this limit, and thirty are not.
WIDE = 20
TABLES = {"closed": CLOSED, "hits": CLOSED, "open": OPEN, "tight": TIGHT, "wide": WIDE, "free": None}
REPEATS = 30


def have_tables(cluster: SharedCluster, replication: int) -> None:
    session = cluster.fresh_keyspace(replication)
    for table, most in TABLES.items():
        value = "hits counter" if table == "hits" else "value int"
        if table == "hits" and replication == 1:
            continue
        limited = "" if most is None else f" AND {limit(reads=most, writes=most)}"
        session.execute(f"CREATE TABLE lab.{table} (key bigint PRIMARY KEY, {value}) WITH {TABLE_OPTIONS}{limited}")


@pytest.fixture(scope="module")
def replicas(shared_cluster: SharedCluster) -> SharedCluster:
    """Every node has every row."""
    have_tables(shared_cluster, replication=3)
    return shared_cluster


@pytest.fixture(scope="module")
def single_copies(shared_cluster: SharedCluster) -> tuple[SharedCluster, list[int]]:
    """Every row has one copy; three keys, one on each node in their order."""
    have_tables(shared_cluster, replication=1)
    keys = [keys_where(shared_cluster, lambda found, at=at: found == {at}, 1)[0] for at in shared_cluster.addresses]
    return shared_cluster, keys


def insert(table: str, key: int, value: int = 1, more: str = "") -> str:
    return f"INSERT INTO lab.{table} (key, value) VALUES ({key}, {value}) {more}"


def batch_of(kind: BatchType, *queries: str) -> BatchStatement:
    batch = BatchStatement(kind, consistency_level=ConsistencyLevel.QUORUM)
    for query in queries:
        batch.add(SimpleStatement(query))
    return batch


def test_a_table_without_a_limit_knows_none(replicas: SharedCluster):
    names = ("LimitAdmitted", "LimitRejected", "LimitWouldReject", "LimitReportsSent", "LimitQuestionsUnanswered")
    before = [counts(replicas.session(index)) for index in range(3)]
    for index in range(3):
        session = replicas.session(index)
        for _ in range(REPEATS):
            session.execute("SELECT * FROM lab.free WHERE key IN (1, 2)")
            session.execute(insert("free", 1))
            session.execute(insert("free", 1, more="IF NOT EXISTS"))
            session.execute(batch_of(BatchType.LOGGED, insert("free", 1), insert("free", 2)))
    after = [counts(replicas.session(index)) for index in range(3)]
    assert [[node[name] for name in names] for node in after] == [[node[name] for name in names] for node in before]


def test_a_row_found_by_an_index_alone_is_not_counted(replicas: SharedCluster):
    session = replicas.session(0)
    session.execute("CREATE INDEX ON lab.closed (value)")
    before = decided(replicas, "closed")

    def found() -> bool:
        try:
            return list(session.execute("SELECT * FROM lab.closed WHERE value = 7")) == []
        except (ReadFailure, InvalidRequest):  # the index is being built
            return False

    until(found, "the index serves")
    assert decided(replicas, "closed") == before
    with pytest.raises(RateLimited):
        session.execute("SELECT * FROM lab.closed WHERE key = 1 AND value = 7")


def test_a_rejection_at_a_replica_costs_the_others_nothing(replicas: SharedCluster):
    session = replicas.session(0)
    level = ConsistencyLevel.ALL
    requests = [
        SimpleStatement("SELECT * FROM lab.closed WHERE key = 1", consistency_level=level),
        SimpleStatement("SELECT * FROM lab.closed WHERE key IN (1, 2)", consistency_level=level),
        SimpleStatement("SELECT * FROM lab.closed WHERE key = 1", consistency_level=ConsistencyLevel.SERIAL),
        SimpleStatement(insert("closed", 1), consistency_level=level),
        SimpleStatement(insert("closed", 1), consistency_level=ConsistencyLevel.ANY),
        SimpleStatement(insert("closed", 1, more="IF NOT EXISTS"), consistency_level=level),
        SimpleStatement("UPDATE lab.hits SET hits = hits + 1 WHERE key = 1", consistency_level=level),
        batch_of(BatchType.LOGGED, insert("free", 1), insert("closed", 2)),
        batch_of(BatchType.UNLOGGED, insert("free", 1), insert("closed", 2)),
    ]
    before = [work_done(replicas, index) for index in range(3)]
    reports = counts(session)["LimitReportsSent"]
    for _ in range(REPEATS):
        for request in requests:
            with pytest.raises(RateLimited):
                session.execute(request)
    assert [work_done(replicas, index) for index in range(3)] == before
    assert counts(session)["LimitReportsSent"] == reports
    # The ruler moves when there is something to measure.
    session.execute(SimpleStatement(insert("free", 1), consistency_level=level))
    assert all(
        work_done(replicas, index)["local_write_latency", "free"] == before[index]["local_write_latency", "free"] + 1
        for index in range(3)
    )


@pytest.mark.parametrize("kind", [BatchType.LOGGED, BatchType.UNLOGGED], ids=["logged", "unlogged"])
@pytest.mark.parametrize(("tight_on", "closed_on"), [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)])
def test_a_batch_is_admitted_whole_or_not_at_all(single_copies, kind: BatchType, tight_on: int, closed_on: int):
    """Coordinated by the first node. What is within its limit is neither written nor counted."""
    cluster, keys = single_copies
    session = cluster.session(0)
    silent, applied, closed = unanswered(session), [], 0
    for value in range(REPEATS):
        batch = batch_of(
            kind, insert("free", keys[2], value), insert("tight", keys[tight_on], value),
            insert("open", keys[tight_on], value), insert("closed", keys[closed_on], value),
        )  # fmt: skip
        try:
            session.execute(batch)
            applied.append(value)
        except RateLimited as rejection:
            # The tight one's: for a moment it counts what another replica has already refused.
            assert "lab.closed" in str(rejection) or "lab.tight" in str(rejection)
            closed += "lab.closed" in str(rejection)
    assert len(applied) <= unanswered(session) - silent
    for table, key in (("free", keys[2]), ("open", keys[tight_on]), ("closed", keys[closed_on])):
        everything = SimpleStatement(f"SELECT key, value FROM lab.{table}", consistency_level=ConsistencyLevel.ALL)
        found = [row.value for row in session.execute(everything) if row.key == key]
        assert found == applied[-1:], table

    # Had all those batches counted, the tight one would refuse all but two, and two a second. One that was applied, as
    # its question had no answer in time, does count: the tight one may then refuse as many as are left.
    assert applied or closed > REPEATS // 2
    for table in ("free", "open", "tight", "closed"):
        session.execute(f"TRUNCATE lab.{table}")


@pytest.mark.parametrize("kind", [BatchType.LOGGED, BatchType.UNLOGGED], ids=["logged", "unlogged"])
@pytest.mark.parametrize("closed_on", [0, 1, 2])
def test_a_batch_of_which_one_partition_alone_has_a_limit(single_copies, kind: BatchType, closed_on: int):
    """Coordinated by the first node. The other partition's replica knows of no limit, and would write."""
    cluster, keys = single_copies
    session = cluster.session(0)
    silent, applied = unanswered(session), 0
    for value in range(REPEATS):
        try:
            session.execute(batch_of(kind, insert("free", keys[2], value), insert("closed", keys[closed_on], value)))
            applied += 1
        except RateLimited as rejection:
            assert "lab.closed" in str(rejection)
    assert applied <= unanswered(session) - silent
    found = list(session.execute(SimpleStatement("SELECT * FROM lab.free", consistency_level=ConsistencyLevel.ALL)))
    assert applied or found == []
    for table in ("free", "closed"):
        session.execute(f"TRUNCATE lab.{table}")


@pytest.mark.parametrize("places", [(0, 1, 2), (1, 2)], ids=["one is the coordinator's", "none is"])
def test_several_partitions_are_read_together_or_not_at_all(single_copies, places: tuple[int, ...]):
    cluster, keys = single_copies
    some = ", ".join(str(keys[place]) for place in places)
    before = decided(cluster, "closed")
    for _ in range(REPEATS):
        with pytest.raises(RateLimited):
            cluster.session(0).execute(f"SELECT * FROM lab.closed WHERE key IN ({some})")
    after = decided(cluster, "closed")
    assert after["rejected_reads"] - before["rejected_reads"] == REPEATS
    assert after["admitted_reads"] == before["admitted_reads"]


def test_what_is_rejected_for_one_of_several_partitions_does_not_count_for_the_coordinators_own(single_copies):
    """What replicas have admitted for a SELECT stays charged on them."""
    cluster, keys = single_copies
    session, first, last = cluster.session(0), keys[0], keys[2]
    select = "SELECT * FROM lab.wide WHERE key IN ({})"

    def is_rejected(*partitions: int) -> bool:
        try:
            session.execute(select.format(", ".join(map(str, partitions))))
        except RateLimited:
            return True
        return False

    session.execute(
        "INSERT INTO isotherm.limited_partitions"
        " (keyspace_name, table_name, partition_key, max_reads_per_second, until)"
        f" VALUES ('lab', 'wide', '{last}', 1, toTimestamp(now()) + 1h)"
    )
    try:
        until(lambda: is_rejected(last), "its replica admits one read a second")
        assert sum(is_rejected(*keys) for _ in range(2 * REPEATS)) > REPEATS
        # Had those counted, none of these would be admitted for certain, and hardly eight in a row.
        assert not any(is_rejected(first) for _ in range(8))
    finally:
        session.execute(
            "DELETE FROM isotherm.limited_partitions WHERE keyspace_name = 'lab' AND table_name = 'wide'"
            f" AND partition_key = '{last}'"
        )


@pytest.fixture
def switches(shared_cluster: SharedCluster) -> Iterator[None]:
    yield
    for index in range(3):
        change_setting(shared_cluster.session(index), "limit.enabled", "true")


def test_a_node_where_limits_are_switched_off_neither_asks_nor_decides(single_copies, switches):
    cluster, keys = single_copies
    change_setting(cluster.session(0), "limit.enabled", "false")
    for key in keys:
        cluster.session(0).execute(insert("closed", key))
    cluster.session(1).execute(insert("closed", keys[0]))
    for key in keys[1:]:
        with pytest.raises(RateLimited):
            cluster.session(1).execute(insert("closed", key))


def test_switched_off_everywhere_and_on_again(single_copies, switches):
    cluster, keys = single_copies
    for index in range(3):
        change_setting(cluster.session(index), "limit.enabled", "false")
    before = decided(cluster, "closed")
    for index in range(3):
        for key in keys:
            cluster.session(index).execute(insert("closed", key))
            cluster.session(index).execute(f"SELECT * FROM lab.closed WHERE key = {key}")
    assert decided(cluster, "closed") == before
    for index in range(3):
        change_setting(cluster.session(index), "limit.enabled", "true")
    for index in range(3):
        for key in keys:
            with pytest.raises(RateLimited):
                cluster.session(index).execute(insert("closed", key))


def test_the_switch_takes_true_and_false(single_copies):
    cluster, _ = single_copies
    with pytest.raises(InvalidRequest, match=r"limit\.enabled: perhaps is refused; allowed: true, false"):
        change_setting(cluster.session(0), "limit.enabled", "perhaps")


def test_a_dry_run_rejects_nothing_and_counts_it(single_copies):
    cluster, keys = single_copies
    set_limit(cluster, "closed", reads=CLOSED, writes=CLOSED, dry_run=True)
    before, node_before = decided(cluster, "closed"), counts(cluster.session(0))
    session = cluster.session(0)
    for _ in range(REPEATS):
        for key in keys:
            session.execute(insert("closed", key))
            session.execute(f"SELECT * FROM lab.closed WHERE key = {key}")
            session.execute(batch_of(BatchType.LOGGED, insert("closed", key), insert("free", key)))
    reads, writes = REPEATS * len(keys), 2 * REPEATS * len(keys)
    # Once an answer takes longer than 100 ms its replica is passed over for a while, and decides on no batch meanwhile:
    # a busy machine may be that slow.
    skipped = passed_over(session) - node_before["LimitReplicasPassedOver"]
    assert skipped < writes / 4

    def counted() -> dict[str, int]:
        after = decided(cluster, "closed")
        return {name: after[name] - before[name] for name in after if after[name] != before[name]}

    # Nobody has waited for the answers of the replicas that count for others.
    until(
        lambda: counted().get("would_reject_writes") == writes - skipped,
        f"each write is counted but {skipped} of which no replica was asked",
    )
    assert counted() == {
        "admitted_reads": reads,
        "admitted_writes": writes,
        "would_reject_reads": reads,
        "would_reject_writes": writes - skipped,
    }
    node_after = counts(session)
    assert node_after["LimitAdmitted"] - node_before["LimitAdmitted"] == reads + writes
    assert node_after["LimitRejected"] == node_before["LimitRejected"]


def test_the_limits_in_force_are_shown_on_every_node(single_copies):
    cluster, _ = single_copies
    for index in range(3):
        rows = {row.table_name: row for row in cluster.session(index).execute(
            "SELECT * FROM isotherm.partition_limits WHERE keyspace_name = 'lab'")}  # fmt: skip
        assert sorted(rows) == ["closed", "open", "tight", "wide"]
        assert (rows["tight"].max_reads_per_second, rows["tight"].max_writes_per_second) == (TIGHT, TIGHT)
        assert rows["closed"].dry_run and not rows["open"].dry_run
    set_limit(cluster, "closed")
    assert all(not list(cluster.session(index).execute(
        "SELECT * FROM isotherm.partition_limits WHERE keyspace_name = 'lab' AND table_name = 'closed'"
    )) for index in range(3))  # fmt: skip


def test_a_read_by_key_and_indexes_is_counted_whoever_coordinates(shared_cluster: SharedCluster):
    """Of several replicas Cassandra asks for a token range then, about which they do not decide."""
    session = shared_cluster.fresh_keyspace(replication=2)
    session.execute(
        "CREATE TABLE lab.found (key bigint PRIMARY KEY, value int, tag int)"
        f" WITH {TABLE_OPTIONS} AND {limit(reads=CLOSED)}"
    )
    for column in ("value", "tag"):
        session.execute(f"CREATE INDEX ON lab.found ({column})")
    here = shared_cluster.addresses[0]
    for is_replica in (True, False):
        (key,) = keys_where(shared_cluster, lambda found, wanted=is_replica: (here in found) == wanted, 1)
        read = SimpleStatement(
            f"SELECT * FROM lab.found WHERE key = {key} AND value = 7 AND tag = 8 ALLOW FILTERING",
            consistency_level=ConsistencyLevel.QUORUM,
        )
        until(lambda read=read: is_rejected(session, read), "the read is rejected")


def test_nobody_complains(shared_cluster: SharedCluster, marks: list[LogMark]):
    shared_cluster.assert_nothing_failed(marks)
