# SPDX-License-Identifier: Apache-2.0
"""A replica that answers no question holds up neither those who ask it nor anybody else, and another one is asked.

The coordinator has few threads for its clients' requests, so that a thread that waits is missed at once.
"""

import threading
from collections.abc import Iterator
from itertools import count
from time import monotonic

import pytest
from cassandra import ConsistencyLevel
from cassandra.metadata import Murmur3Token
from cassandra.query import SimpleStatement
from hammering import hammer
from partition_limits import CLOSED, OPEN, RateLimited, is_rejected, is_rejected_by_the_nearest, limit, passed_over
from plugin_views import LogMark, change_setting, counts
from shared_cluster import EVERY_NODE, KEYSPACE, TABLE_OPTIONS, SharedCluster
from waiting import until

from isotherm_lab.cluster.suspension import suspended

pytestmark = [pytest.mark.long, pytest.mark.contract]

REQUEST_THREADS = 8
IN_FLIGHT = 16
SECONDS = 3
#: Half of the time that a question may take, and far above what a read of a small table takes.
SLOW_S = 0.05
#: How often the replica is well and then silent, and what its silence may cost the reads of these windows.
PAIRS = 3
LEAST_PART = 0.7
MORE_SLOW = 0.03
#: What a read counts for at most where rates are compared: all that a question may take. A stall of the machine is one
#: read, however long, and reads that wait for the silent replica are many.
MOST_S = 2 * SLOW_S
SILENT, OTHER = 1, 2
#: Within the time after which a question without an answer says that a replica is silent.
DRY_WRITES = 10
#: Longer than Cassandra keeps a message for whose answer nobody waits.
GIVEN_UP_S = 30


@pytest.fixture(scope="module")
def cluster() -> Iterator[SharedCluster]:
    """Two replicas of each row; limits that nothing reaches or that admit nothing, a dry run, and a table without."""
    own = SharedCluster.begin(EVERY_NODE, native_transport_max_threads=REQUEST_THREADS)
    with own.cluster:
        try:
            session = own.fresh_keyspace(replication=2)
            limits = {"open": limit(writes=OPEN), "closed": limit(writes=CLOSED), "free": None}
            limits["dry"] = limit(writes=CLOSED, dry_run=True)
            for table, most in limits.items():
                limited = "" if most is None else f" AND {most}"
                session.execute(
                    f"CREATE TABLE lab.{table} (key bigint PRIMARY KEY, value int) WITH {TABLE_OPTIONS}{limited}"
                )
            yield own
        finally:
            own.close()


def keys_with(cluster: SharedCluster, nearest: int, other: int) -> list[int]:
    """Return keys with copies on these two nodes, of which the first one comes first on the ring.

    That is the one which the lab's snitch takes for the nearest of two other nodes.
    """
    tokens = cluster.session(0).cluster.metadata.token_map
    wanted = [cluster.addresses[nearest], cluster.addresses[other]]
    return [
        key
        for key in range(300)
        if [host.address for host in tokens.get_replicas(KEYSPACE, Murmur3Token(hashed(key)))] == wanted
    ]


def hashed(key: int) -> int:
    return Murmur3Token.hash_fn(key.to_bytes(8, "big", signed=True))


def asked_first(table: str, key: int) -> SimpleStatement:
    """Return a write that a hint alone satisfies: its coordinator asks a replica first, and then waits for none."""
    return SimpleStatement(
        f"INSERT INTO lab.{table} (key, value) VALUES ({key}, 1)", consistency_level=ConsistencyLevel.ANY
    )


def reads_beside_writes(cluster: SharedCluster, keys: list[int]) -> tuple[int, list[float]]:
    """Write to the limited table for some seconds while one client reads, each read after the other.

    Return the number of writes and the duration of each read.
    """
    session, durations, over = cluster.session(0), [], threading.Event()
    # The coordinator has a copy itself, and the silent node has none.
    here = keys_with(cluster, 0, OTHER) + keys_with(cluster, OTHER, 0)
    select = session.prepare("SELECT value FROM lab.free WHERE key = ?")

    def read() -> None:
        for number in count():
            if over.is_set():
                return
            began = monotonic()
            session.execute(select, (here[number % len(here)],))
            durations.append(monotonic() - began)

    reader = threading.Thread(target=read, name="reader")
    reader.start()
    try:
        outcomes = hammer(
            [session],
            lambda number: asked_first("open", keys[number % len(keys)]),
            seconds=SECONDS,
            in_flight=IN_FLIGHT,
        )
    finally:
        over.set()
        reader.join()
    assert outcomes.rejected == set()
    assert outcomes.uncertain == {}
    return len(outcomes), durations


def per_second(durations: list[float]) -> float:
    """Return how many reads a second of reading has, each after the other; of each `MOST_S` at most."""
    return len(durations) / sum(min(each, MOST_S) for each in durations)


def test_requests_that_ask_nobody_are_unhurt(cluster: SharedCluster):
    session, keys = cluster.session(0), keys_with(cluster, SILENT, OTHER)
    well, meanwhile = [], []
    # In turns, so that what others take of the machine falls on windows of both kinds.
    for _ in range(PAIRS):
        until(lambda: is_rejected_by_the_nearest(session, asked_first("closed", keys[0])), "no replica is passed over")
        reads_beside_writes(cluster, keys)
        well += reads_beside_writes(cluster, keys)[1]
        before = counts(session)
        with suspended(cluster.nodes[SILENT]):
            writes, durations = reads_beside_writes(cluster, keys)
            after = counts(session)
        meanwhile += durations
        # Only what was asked before the replica was known to be silent; every write would be otherwise.
        assert 1 <= after["LimitQuestionsUnanswered"] - before["LimitQuestionsUnanswered"] < writes / 5
        assert after["LimitReplicasPassedOver"] - before["LimitReplicasPassedOver"] > writes / 2
    slow, slow_while_well = (sum(each > SLOW_S for each in some) / len(some) for some in (meanwhile, well))
    rate, rate_while_well = per_second(meanwhile), per_second(well)
    print(f"reads: {len(well)} while well, {rate_while_well:.0f} a second, {slow_while_well:.2%} of them slow;")
    print(f"reads: {len(meanwhile)} beside a silent replica, {rate:.0f} a second, {slow:.2%} of them slow")
    assert rate >= LEAST_PART * rate_while_well
    assert slow <= slow_while_well + MORE_SLOW


def test_another_replica_is_asked_and_the_silent_one_again_when_it_answers(cluster: SharedCluster):
    session, key = cluster.session(0), keys_with(cluster, SILENT, OTHER)[0]

    def rejected() -> bool:
        return is_rejected(session, asked_first("closed", key))

    until(lambda: is_rejected_by_the_nearest(session, asked_first("closed", key)), "no replica is passed over")
    with suspended(cluster.nodes[SILENT]):
        assert not rejected(), "a stopped process answers nothing"
        # It may be late itself the first time, and is passed over then, too.
        until(rejected, "the other replica is asked")
        before = passed_over(session)
        for _ in range(10):
            rejected()
        assert passed_over(session) - before >= 10
        change_setting(cluster.session(OTHER), "limit.enabled", "false")
        session.execute(asked_first("closed", key))

    def asked_again() -> bool:  # the other one, which is asked until then, rejects nothing now
        try:
            session.execute(asked_first("closed", key))
        except RateLimited:
            return True
        return False

    until(asked_again, "the replica is asked again")
    change_setting(cluster.session(OTHER), "limit.enabled", "true")


def test_a_dry_run_waits_for_nobody(cluster: SharedCluster):
    session, key = cluster.session(0), keys_with(cluster, SILENT, OTHER)[0]
    until(lambda: is_rejected_by_the_nearest(session, asked_first("closed", key)), "no replica is passed over")
    with suspended(cluster.nodes[SILENT]):
        before = counts(session)["LimitQuestionsUnanswered"]
        for _ in range(DRY_WRITES):
            session.execute(asked_first("dry", key))
        assert counts(session)["LimitQuestionsUnanswered"] == before, "a write waited for what rejects nothing"
        session.execute(asked_first("open", key))
        assert counts(session)["LimitQuestionsUnanswered"] > before, "of an enforced limit it waits"
    until(lambda: is_rejected_by_the_nearest(session, asked_first("closed", key)), "the replica is asked again")


def test_a_dry_run_passes_over_a_replica_that_answers_nothing(cluster: SharedCluster):
    """Nobody waits for it, so that its silence is known once its questions are given up."""
    session, key = cluster.session(0), keys_with(cluster, SILENT, OTHER)[0]
    before = passed_over(session)

    def is_passed_over() -> bool:
        session.execute(asked_first("dry", key))
        return passed_over(session) > before

    with suspended(cluster.nodes[SILENT]):
        until(is_passed_over, "the replica is asked by each write", timeout_s=GIVEN_UP_S)
    until(lambda: is_rejected_by_the_nearest(session, asked_first("closed", key)), "the replica is asked again")


def test_nobody_complains(cluster: SharedCluster):
    cluster.assert_nothing_failed(LogMark(node, 0) for node in cluster.nodes)
