# SPDX-License-Identifier: Apache-2.0
"""What a fair share refuses of one partition's writes is on no replica, and what it admits is on each."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from hammering import Outcomes, hammer
from plugin_views import LogMark, change_setting, counts
from shared_cluster import TABLE_OPTIONS, SharedCluster

pytestmark = pytest.mark.contract

#: Each write holds its thread, of 32, for so long that threads are scarce before the machine's processors are; many
#: more writes are under way on each node.
WRITE_MS = 100
IN_FLIGHT = 192
SECONDS = 2
#: So many times as many as are under way at once: those of the first are sent before any queue stands.
ROUNDS = 4
HOT = 7
#: Reads must not repair what they are to find.
OPTIONS = f"{TABLE_OPTIONS} AND read_repair = 'NONE' AND memtable = 'slow_writes'"

REQUESTS: dict[str, Callable[[int], str]] = {
    "write": lambda part: f"INSERT INTO lab.written (key, part, value) VALUES ({HOT}, {part}, {part})",
    "batch": lambda part: (
        "BEGIN BATCH"
        f" INSERT INTO lab.written (key, part, value) VALUES ({HOT}, {2 * part}, 0);"
        f" INSERT INTO lab.written (key, part, value) VALUES ({HOT}, {2 * part + 1}, 0);"
        " APPLY BATCH"
    ),
    "counter": lambda part: f"UPDATE lab.counted SET value = value + 1 WHERE key = {HOT} AND part = {part}",
}


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    """Tables whose writes are slow, on every node a replica."""
    create(shared_cluster, replication=3)
    marks = [LogMark.end_of(node) for node in shared_cluster.nodes]
    try:
        shared_cluster.cluster.order("writes", str(WRITE_MS))
        yield shared_cluster
    finally:
        try:
            shared_cluster.cluster.order("writes", "0")
        finally:
            share(shared_cluster, "off")
    shared_cluster.assert_nothing_failed(marks)


def create(cluster: SharedCluster, replication: int) -> None:
    """Create both tables anew."""
    session = cluster.fresh_keyspace(replication)
    for table, kind in (("written", "bigint"), ("counted", "counter")):
        session.execute(
            f"CREATE TABLE lab.{table} (key bigint, part int, value {kind}, PRIMARY KEY (key, part)) WITH {OPTIONS}"
        )


def share(cluster: SharedCluster, mode: str) -> None:
    """Switch fair shares to a mode on all nodes."""
    for index in range(len(cluster.nodes)):
        change_setting(cluster.session(index), "limit.fair_share", mode)


def counted(cluster: SharedCluster, name: str) -> int:
    """Return a count of all nodes together."""
    return sum(counts(cluster.session(index))[name] for index in range(len(cluster.nodes)))


def write(
    cluster: SharedCluster, request: Callable[[int], str], parts: count, coordinators: Sequence[int] = range(3)
) -> Outcomes:
    """Write to one partition through these nodes, far more than the replicas' threads can apply."""
    sessions = [cluster.session(index) for index in coordinators]
    outcomes = hammer(
        sessions,
        lambda part: SimpleStatement(request(part), consistency_level=ConsistencyLevel.ALL),
        seconds=SECONDS, at_least=ROUNDS * IN_FLIGHT * len(sessions),
        in_flight=IN_FLIGHT * len(sessions), numbers=parts,
    )  # fmt: skip
    assert outcomes.uncertain == {}
    return outcomes


def rows(cluster: SharedCluster, table: str) -> set[int]:
    """Return the parts of the partition's rows; all replicas have the same."""
    query = f"SELECT part, value FROM lab.{table} WHERE key = {HOT}"
    found = []
    for index in range(len(cluster.nodes)):
        # One replica answers at ONE, and a coordinator that is a replica asks itself.
        read = SimpleStatement(query, consistency_level=ConsistencyLevel.ONE, fetch_size=None)
        found.append({(row.part, row.value) for row in cluster.session(index).execute(read)})
    assert found[0] == found[1] == found[2]
    if table == "counted":
        assert {value for _, value in found[0]} <= {1}
    return {part for part, _ in found[0]}


@pytest.mark.parametrize("kind", list(REQUESTS))
def test_what_is_refused_is_nowhere_and_what_is_acknowledged_everywhere(cluster: SharedCluster, kind: str):
    table = "counted" if kind == "counter" else "written"
    cluster.session(0).execute(f"TRUNCATE lab.{table}")
    logs = [LogMark.end_of(node) for node in cluster.nodes]
    share(cluster, "on")
    before = counted(cluster, "FairShareRefusedWrites")
    outcomes = write(cluster, REQUESTS[kind], count())
    share(cluster, "off")
    print(f"{len(outcomes.acknowledged)} acknowledged, {len(outcomes.rejected)} refused")
    assert outcomes.acknowledged and outcomes.rejected
    assert counted(cluster, "FairShareRefusedWrites") - before == len(outcomes.rejected)
    written = rows(cluster, table)
    wanted = {2 * part + half for part in outcomes.acknowledged for half in (0, 1)}
    named = "counter updates" if kind == "counter" else "writes"
    assert any(mark.lines(f"for which {named} wait") for mark in logs), "the log names what waits"
    assert written == (wanted if kind == "batch" else outcomes.acknowledged)


def test_a_dry_run_refuses_nothing_and_counts_it(cluster: SharedCluster):
    share(cluster, "dry_run")
    before = counted(cluster, "FairShareWouldRefuseWrites"), counted(cluster, "FairShareRefusedWrites")
    outcomes = write(cluster, REQUESTS["write"], count())
    share(cluster, "off")
    assert not outcomes.rejected
    assert counted(cluster, "FairShareWouldRefuseWrites") > before[0]
    assert counted(cluster, "FairShareRefusedWrites") == before[1]


def test_a_batch_of_several_partitions_is_not_refused_for_the_hot_one(cluster: SharedCluster):
    def request(part: int) -> str:
        if part % 8:
            return REQUESTS["write"](part)
        other = f"INSERT INTO lab.written (key, part, value) VALUES ({HOT + 1}, {part}, 0)"
        return f"BEGIN UNLOGGED BATCH {REQUESTS['write'](part)}; {other}; APPLY BATCH"

    share(cluster, "on")
    outcomes = write(cluster, request, count())
    share(cluster, "off")
    assert outcomes.rejected
    assert not [part for part in outcomes.rejected if part % 8 == 0]


def test_who_is_no_replica_refuses_what_the_replicas_would(cluster: SharedCluster):
    """It has no shares of its own, and hears of theirs with their answers. Last, as it needs other tables."""
    create(cluster, replication=2)
    (stranger,) = (cluster.addresses.index(each) for each in set(cluster.addresses) - cluster.replicas_of(HOT))
    share(cluster, "on")
    before = counts(cluster.session(stranger))["FairShareRefusedWrites"]
    outcomes = write(cluster, REQUESTS["write"], count(), [stranger])
    refused = counts(cluster.session(stranger))["FairShareRefusedWrites"] - before
    share(cluster, "off")
    print(f"{len(outcomes.acknowledged)} acknowledged, {len(outcomes.rejected)} refused")
    assert outcomes.acknowledged
    assert refused == len(outcomes.rejected) > 0
    assert rows(cluster, "written") == outcomes.acknowledged
