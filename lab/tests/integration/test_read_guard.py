# SPDX-License-Identifier: Apache-2.0
"""Reads avoid a replica that leaves them unanswered, try it again, and leave out one that its operator takes out."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cassandra import ConsistencyLevel
from cassandra.cluster import ResponseFuture, Session
from cassandra.query import SimpleStatement
from coordinators import SCHEMA_S, execute_all
from plugin_views import LogMark, change_setting, counts
from probes import samples_now
from shared_cluster import SharedCluster
from waiting import until

from isotherm_lab.cluster import configuration
from isotherm_lab.cluster.suspension import suspended
from isotherm_lab.data import row_table
from isotherm_lab.experiments.bad_links import growing_delay

KEYS = range(30)
LAST = 2
#: A look of the guard, on a busy machine.
LOOK_S = 0.5
#: A replica that answers nothing is avoided after at most twice `most_patience`.
SILENT_S = 2
#: A trial that fails, as a single answer may be late, is followed by the next after four seconds.
USED_AGAIN_S = 90
#: Above any time-out of Cassandra's.
PATIENT_S = 30
#: Below it.
HUNG_S = 6
#: Of the ring. A scan of all of it needs the same two nodes for each range, as far as they have both.
PARTS = 64


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """A small table, and the guard without heat, so that every replica is the second contact of some partitions."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill("guarded", KEYS)
    for index in range(3):
        guarded(shared_cluster.session(index))
    yield shared_cluster
    for index in range(3):
        change_setting(shared_cluster.session(index), "guard.enabled", "false")
        change_setting(shared_cluster.session(index), "heat.enabled", "true")
    shared_cluster.session(0).execute("DROP KEYSPACE IF EXISTS pairs", timeout=SCHEMA_S)


def guarded(session: Session) -> None:
    change_setting(session, "heat.enabled", "false")
    change_setting(session, "guard.enabled", "true")


def replicas(session: Session) -> dict[str, Any]:
    """Return the rows of isotherm.replicas, by address."""
    return {row.address: row for row in session.execute("SELECT * FROM isotherm.replicas")}


def read_for(cluster: SharedCluster, index: int, seconds: float, level: int = ConsistencyLevel.QUORUM) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        cluster.read(index, "guarded", KEYS, level)


def served_by_last(cluster: SharedCluster, index: int, rounds: int) -> int:
    """Return how many of these rounds of reads through one coordinator the last node served."""
    before = samples_now(cluster.nodes)[LAST].reads
    for _ in range(rounds):
        cluster.read(index, "guarded", KEYS, ConsistencyLevel.QUORUM)
    return samples_now(cluster.nodes)[LAST].reads - before


def reads(
    session: Session,
    seconds: float,
    table: str = "lab.guarded",
    keys: int = len(KEYS),
    ended: Callable[[], None] = lambda: None,
) -> list[tuple[float, ResponseFuture]]:
    """Send a read each 20 ms; return, for each, when it was sent, and its future. `ended` is called as each ends."""
    select = session.prepare(f"SELECT value FROM {table} WHERE key = ?")
    select.consistency_level = ConsistencyLevel.QUORUM

    def begin(number: int) -> ResponseFuture:
        future = session.execute_async(select, (number % keys,), timeout=PATIENT_S)
        future.add_callbacks(lambda rows: ended(), lambda failure: ended())
        return future

    return begun_each(0.02, seconds, begin)


def scans(session: Session, seconds: float) -> list[tuple[float, ResponseFuture]]:
    """Scan a part of the ring each 50 ms, one after the other, as `reads`; two of three need a certain node."""
    select = session.prepare("SELECT key FROM lab.guarded WHERE token(key) > ? AND token(key) <= ?")
    select.consistency_level = ConsistencyLevel.QUORUM
    part = 2**64 // PARTS

    def begin(number: int) -> ResponseFuture:
        first = -(2**63) + (number % PARTS) * part
        return session.execute_async(select, (first, first + part - 1), timeout=PATIENT_S)

    return begun_each(0.05, seconds, begin)


def begun_each(
    every_s: float, seconds: float, begin: Callable[[int], ResponseFuture]
) -> list[tuple[float, ResponseFuture]]:
    sent = []
    begun = time.monotonic()
    while (now := time.monotonic()) < begun + seconds:
        sent.append((now - begun, begin(len(sent))))
        time.sleep(every_s)
    return sent


def end_while_used(cluster: SharedCluster) -> LogMark | None:
    """Return where the log of node 1 ends; None while it avoids a replica, as it may one that has just started."""
    mark = LogMark.end_of(cluster.nodes[0])
    return mark if all(row.guard == "used" for row in replicas(cluster.session(0)).values()) else None


@pytest.mark.contract
def test_a_stopped_replica_is_avoided_and_used_again(cluster: SharedCluster):
    session, last = cluster.session(0), cluster.nodes[LAST]
    read_for(cluster, 0, 3)
    log = until(lambda: end_while_used(cluster), "every node is used", timeout_s=USED_AGAIN_S)
    before = counts(session)
    with suspended(last):
        begun = time.monotonic()
        sent = reads(session, 4)
        row = replicas(session)[last.address]
        assert row.guard in ("avoided", "tried"), row
        avoided_from_s = time.monotonic() - begun - row.avoided_ms / 1000
        # From the first read that it left unanswered on, by the guard's clock, which stands still with its process.
        assert row.oldest_ms - row.avoided_ms <= 1000 * (SILENT_S + LOOK_S), row
        # Two of three reads would contact it. Once it is avoided only copies try it: every read ends.
        afterwards = [future for at, future in sent if at > avoided_from_s + LOOK_S]
        assert len(afterwards) > 10, row
        ended: list[Any] = []
        for future in afterwards:
            future.add_callbacks(ended.append, ended.append)
        # A trial that no copy takes for a quarter of a second, as when nobody reads, is for the next read to make.
        until(lambda: len(afterwards) - len(ended) <= 1, "all reads but one that tries it end", timeout_s=5)
    for _, future in sent:
        future.result()

    assert row.reason, row
    assert row.avoided_ms > 0, row

    def is_logged(verb: str) -> bool:
        return any(f"{verb} /{last.address}:" in line for line in log.lines("dev.isotherm"))

    def used() -> bool:
        cluster.read(0, "guarded", KEYS, ConsistencyLevel.QUORUM)
        return replicas(session)[last.address].guard == "used" and is_logged("use")

    until(used, "the node is used again, and the log says so", timeout_s=USED_AGAIN_S)
    assert is_logged("avoid")
    after = counts(session)
    for name in ("GuardAvoidances", "GuardMovedReads", "GuardTrials"):
        assert after[name] > before[name], name


@pytest.mark.contract
@pytest.mark.long
def test_scans_alone_avoid_a_stopped_replica_and_use_it_again(cluster: SharedCluster):
    session, last = cluster.session(0), cluster.nodes[LAST]

    def used() -> bool:
        for _, future in scans(session, 1):
            future.result()
        return replicas(session)[last.address].guard == "used"

    until(used, "the node is used", timeout_s=USED_AGAIN_S)
    with suspended(last):
        until(lambda: scans(session, 1) and replicas(session)[last.address].guard != "used", "it is avoided")
        ended: list[Any] = []
        later = [future for _, future in scans(session, 3)]
        for future in later:
            future.add_callbacks(ended.append, ended.append)
        # One scan at a time may try it, and waits until it runs again.
        until(lambda: len(later) - len(ended) <= 2, "all scans but those that try it end")
    for future in later:
        future.result()
    until(used, "the node is used again for scans alone", timeout_s=USED_AGAIN_S)


@pytest.mark.long
def test_a_replica_whose_messages_come_later_bit_by_bit_is_avoided(cluster: SharedCluster):
    session, last = cluster.session(0), cluster.nodes[LAST]
    read_for(cluster, 0, 5)

    def is_now(guard: str) -> bool:
        read_for(cluster, 0, 1)
        return replicas(session)[last.address].guard == guard

    # By a third each second: no read takes twice as long as those of the second before.
    with growing_delay(cluster.cluster, LAST, 100, 16):
        until(lambda: is_now("avoided"), "it is avoided", timeout_s=30)
        begun = time.monotonic()
        until(lambda: served_by_last(cluster, 0, 3) <= 5, "but for trials none goes to it", timeout_s=20)
        read_for(cluster, 0, max(0.0, 20 - (time.monotonic() - begun)))
        assert replicas(session)[last.address].guard in ("avoided", "tried"), "for as long as it is slow"
    until(lambda: is_now("used"), "it is used again", timeout_s=USED_AGAIN_S)


@pytest.mark.contract
def test_every_read_ends_while_a_disk_answers_nothing(cluster: SharedCluster):
    """A table as Cassandra makes it, but for the disk: reads that wait when it hangs are asked for elsewhere."""
    session, last = cluster.session(0), cluster.nodes[LAST]
    data = row_table.RowDataset(keys=300, value_bytes=100, service_us=500, parallel=8, row_cache=False)
    row_table.add(session, data, "lab.disk")
    insert = session.prepare("INSERT INTO lab.disk (key, value) VALUES (?, ?)")
    execute_all(session, insert, [(key, bytes(data.value_bytes)) for key in range(data.keys)], ConsistencyLevel.ALL)
    cluster.cluster.order("flush", "lab")
    for _, future in reads(session, 3, "lab.disk", data.keys):
        future.result()
    storage = cluster.cluster.storage
    storage.hang([last])
    try:
        ended: list[float] = []
        sent = reads(session, HUNG_S, "lab.disk", data.keys, lambda: ended.append(time.monotonic()))
        assert replicas(session)[last.address].guard in ("avoided", "tried")
        # One for which nobody else is asked ends in a time-out after ten seconds, and its result raises that.
        until(lambda: len(ended) == len(sent), "every read ends while the disk hangs", timeout_s=15)
        for _, future in sent:
            future.result()
    finally:
        storage.slow([last])

    def used() -> bool:
        for _, future in reads(session, 1, "lab.disk", data.keys):
            future.result()
        return replicas(session)[last.address].guard == "used"

    until(used, "the node is used again", timeout_s=USED_AGAIN_S)
    before = samples_now(cluster.nodes)[LAST].reads
    # What its disk owed may be late, and then it is avoided once more.
    until(
        lambda: used() and samples_now(cluster.nodes)[LAST].reads > before,
        "it serves reads, and is used",
        timeout_s=USED_AGAIN_S,
    )


@pytest.fixture
def put_back(cluster: SharedCluster) -> Iterator[None]:
    """The last node is not left out of reads by a test that fails, and all nodes know that before the next test."""
    yield
    change_setting(cluster.session(LAST), "guard.out_of_reads", "0s")
    # What one of them has yet to hear would end what the next test asks for.
    until_all_know(cluster, out=False)


def is_out(cluster: SharedCluster, index: int) -> bool:
    """Return whether a node leaves the last one out of its reads, as the last one's operator has asked."""
    seen = replicas(cluster.session(index)).get(cluster.addresses[LAST])
    return seen is not None and seen.guard == "out"


def until_all_know(cluster: SharedCluster, out: bool) -> None:
    """Wait until each node leaves the last one out of its reads, or none does."""
    for index in range(3):
        until(lambda i=index: is_out(cluster, i) == out, f"node {index + 1} knows")


@pytest.mark.contract
@pytest.mark.usefixtures("put_back")
def test_a_node_is_taken_out_of_the_reads_of_all_coordinators_and_put_back(cluster: SharedCluster):
    for index in range(3):
        read_for(cluster, index, 0.5)
    until(lambda: served_by_last(cluster, 0, 5) > 0, "the node serves reads")
    change_setting(cluster.session(LAST), "guard.out_of_reads", "30m")
    until_all_know(cluster, out=True)
    assert served_by_last(cluster, 0, 5) == 0
    assert served_by_last(cluster, LAST, 5) == 0
    # No consistency level is weakened for it.
    cluster.read(0, "guarded", KEYS, ConsistencyLevel.ALL)

    change_setting(cluster.session(LAST), "guard.out_of_reads", "0s")
    until_all_know(cluster, out=False)
    until(lambda: served_by_last(cluster, 0, 5) > 0, "the node serves reads again")


def scans_of(cluster: SharedCluster, index: int) -> int:
    """Return how often the node has scanned a range of the table whose rows have two copies."""
    shown = cluster.session(index).execute(
        "SELECT count AS scans FROM system_views.local_scan_latency"
        " WHERE keyspace_name = 'pairs' AND table_name = 'guarded'"
    )
    row = shown.one()
    return row.scans if row else 0


@pytest.mark.contract
@pytest.mark.usefixtures("put_back")
def test_scans_do_not_ask_a_node_that_is_out_for_what_two_ranges_have_in_common(cluster: SharedCluster):
    """Of the ranges of nodes 2, 3 and 3, 1 only node 3 could serve both."""
    session = cluster.session(0)
    session.execute(
        "CREATE KEYSPACE pairs WITH replication ="
        f" {{'class': 'NetworkTopologyStrategy', '{configuration.DATACENTER}': 2}}"
    )
    session.execute("CREATE TABLE pairs.guarded (key bigint PRIMARY KEY)")
    insert = session.prepare("INSERT INTO pairs.guarded (key) VALUES (?)")
    # A scan at ONE finds only what the copy has that it asks for.
    execute_all(session, insert, [(key,) for key in KEYS], ConsistencyLevel.ALL)
    scan = SimpleStatement("SELECT key FROM pairs.guarded", consistency_level=ConsistencyLevel.ONE)

    def scanned() -> int:
        before = scans_of(cluster, LAST)
        for index in range(LAST):
            for _ in range(5):
                assert len(list(cluster.session(index).execute(scan))) == len(KEYS)
        return scans_of(cluster, LAST) - before

    until(lambda: scanned() > 0, "the node serves scans", timeout_s=USED_AGAIN_S)
    change_setting(cluster.session(LAST), "guard.out_of_reads", "30m")
    until_all_know(cluster, out=True)
    assert scanned() == 0
    change_setting(cluster.session(LAST), "guard.out_of_reads", "0s")
    until(lambda: scanned() > 0, "the node serves scans again")


@pytest.mark.contract
@pytest.mark.usefixtures("put_back")
def test_nobody_forgets_a_node_that_was_taken_out(cluster: SharedCluster):
    change_setting(cluster.session(LAST), "guard.out_of_reads", "30m")
    until(lambda: is_out(cluster, 0), "the others know")
    change_setting(cluster.session(LAST), "guard.out_of_reads", "4s")
    until(lambda: not is_out(cluster, 0), "the time is over")
    shown = cluster.session(LAST).execute("SELECT value FROM isotherm.settings WHERE name = 'guard.out_of_reads'")
    assert shown.one().value == "0s"


@pytest.mark.long
@pytest.mark.usefixtures("put_back")
def test_a_restart_puts_a_node_back(cluster: SharedCluster):
    change_setting(cluster.session(LAST), "guard.out_of_reads", "30m")
    until(lambda: is_out(cluster, 0), "the others know")
    cluster.restart(LAST)
    guarded(cluster.session(LAST))
    cluster.read(0, "guarded", KEYS, ConsistencyLevel.ALL)
    until(lambda: not is_out(cluster, 0), "the others know")


def test_a_guard_that_is_switched_off_says_so(cluster: SharedCluster):
    session = cluster.session(0)
    change_setting(session, "guard.enabled", "false")
    try:
        cluster.read(0, "guarded", KEYS, ConsistencyLevel.QUORUM)
        assert {row.guard for row in replicas(session).values()} == {"off"}
    finally:
        change_setting(session, "guard.enabled", "true")
    assert "off" not in {row.guard for row in replicas(session).values()}


@pytest.mark.contract
def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
