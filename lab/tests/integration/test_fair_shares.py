# SPDX-License-Identifier: Apache-2.0
"""While reads wait for a thread, the partition that holds most threads is cut to its share, and no other is."""

import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import slow_reads
from cassandra import ConsistencyLevel, ReadFailure
from cassandra.query import SimpleStatement
from hammering import Outcomes
from plugin_views import LogMark, change_setting, counts, hottest_partitions
from probes import Sample, sample_now
from python_driver_executes import BUSY
from shared_cluster import KEYSPACE, TABLE_OPTIONS, SharedCluster
from waiting import until

from isotherm_lab.cluster.suspension import pausing

pytestmark = pytest.mark.contract

TABLE = f"{KEYSPACE}.shared"
KEYS = 9
HOT = 0
OTHERS = range(1, KEYS)
PAUSE_S = 0.8
EVERY_S = 2
#: Ten times as many as are under way.
READS_TO_COUNT = 2000
#: So many replicas serve a read on average, at least, where most have a speculative retry: nearly two.
RETRIED = 1.6
#: So many at most where those of a cut partition have none. A partition that is admitted whole for some seconds, until
#: it holds the threads anew, has some meanwhile.
RARELY_RETRIED = 1.25
#: What a node logs of a partition that is cut, and of one that is admitted whole again.
BEGUN = "of the time of the threads for which reads wait"
ENDED = "All reads of the partition of"


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    """The cluster with the table on every node's slow disk."""
    slow_reads.create(shared_cluster, TABLE, KEYS, replication=3)
    return shared_cluster


@contextmanager
def fair_share(cluster: SharedCluster, mode: str) -> Iterator[None]:
    """Set it on each node, and switch it off afterwards."""
    sessions = [cluster.session(index) for index in range(len(cluster.nodes))]
    try:
        for session in sessions:
            change_setting(session, "limit.fair_share", mode)
        yield
    finally:
        for session in sessions:
            change_setting(session, "limit.fair_share", "off")


@dataclass(frozen=True)
class Saturated:
    """What was asked of nodes that it saturates, what clients saw, what was refused and what would have been."""

    reads: slow_reads.MostlyHot
    outcomes: Outcomes
    refused: int
    would_refuse: int


@pytest.fixture
def saturated(cluster: SharedCluster) -> Callable[[str], Saturated]:
    """Return what saturates the first node in one mode of fair shares."""
    session = cluster.session(0)

    def told(name: str) -> int:
        return sum(counts(cluster.session(index))[name] for index in range(len(cluster.nodes)))

    def under(mode: str) -> Saturated:
        before = told("FairShareRefused"), told("FairShareWouldRefuse")
        reads = slow_reads.mostly(TABLE, HOT, OTHERS)
        with fair_share(cluster, mode):
            outcomes = slow_reads.ask(session, reads)
        refused, would_refuse = told("FairShareRefused") - before[0], told("FairShareWouldRefuse") - before[1]
        return Saturated(reads, outcomes, refused, would_refuse)

    return under


def test_on_it_refuses_the_partition_that_holds_the_threads_and_no_other(saturated):
    seen = saturated("on")
    outcomes = seen.outcomes
    assert outcomes.uncertain == {}
    assert seen.refused >= len(outcomes.rejected) > 0
    # By this an application recognises it, as the page for each driver has it.
    assert all(message.startswith(BUSY[1]) for message in outcomes.reasons)
    assert len(seen.reads.late_of_the_hot_one(outcomes)) > slow_reads.LEAST_OF_THE_HOT_ONE
    assert outcomes.acknowledged >= seen.reads.of_others != set()


@pytest.mark.long
def test_the_hottest_partitions_say_meanwhile_where_and_by_which_rule(cluster: SharedCluster, saturated):
    seen = []
    with ThreadPoolExecutor(1) as clients:
        asked = clients.submit(saturated, "on")
        while not asked.done():
            for index in range(len(cluster.nodes)):
                seen += hottest_partitions(cluster.session(index), TABLE.removeprefix(f"{KEYSPACE}.")).items()
            wait([asked], timeout=0.25)
    assert asked.result().outcomes.rejected
    refused = {key for key, row in seen if row.refused_by_fair_share_per_second}
    assert refused == {str(HOT)}
    assert any(row.saturated and row.refused_by_fair_share_per_second > 1 for _, row in seen)
    assert all(row.rejected_per_second is None for _, row in seen), "no limit is set"


def test_a_pause_of_the_node_makes_no_other_partition_large(cluster: SharedCluster, saturated):
    """As long as a collection of garbage may last: the reads that its threads serve then seem to take as long."""
    with pausing(cluster.nodes[0], PAUSE_S, EVERY_S):
        seen = saturated("on")
    assert seen.outcomes.rejected
    assert seen.outcomes.acknowledged >= seen.reads.of_others != set()


def test_what_may_not_be_refused_is_served_beside_what_is(cluster: SharedCluster):
    """The replicas are sent reads of the very partition that they cut, by a coordinator that marks the exceptions."""
    select = f"SELECT value FROM {TABLE} WHERE key"
    exceptions = [
        SimpleStatement(f"{select} IN ({HOT}, 1)", consistency_level=ConsistencyLevel.QUORUM),
        SimpleStatement(f"{select} = {HOT}", consistency_level=ConsistencyLevel.SERIAL),
    ]

    reads = slow_reads.MostlyHot(slow_reads.read(TABLE, HOT), exceptions)
    with fair_share(cluster, "on"):
        outcomes = slow_reads.ask(cluster.session(0), reads)
    assert outcomes.rejected
    assert outcomes.rejected & reads.of_others == set()
    assert len(outcomes.acknowledged & reads.of_others) >= len(exceptions)
    assert [error for error in outcomes.uncertain.values() if isinstance(error, ReadFailure)] == []


def test_a_dry_run_counts_and_refuses_nothing(saturated):
    seen = saturated("dry_run")
    assert (seen.outcomes.uncertain, seen.outcomes.rejected, seen.refused) == ({}, set(), 0)
    assert seen.would_refuse > 0


@pytest.fixture
def quick_retries(cluster: SharedCluster) -> Iterator[None]:
    """Have Cassandra ask a second replica for each read of the table that takes longer than its disk alone."""
    session = cluster.session(0)
    session.execute(f"ALTER TABLE {TABLE} WITH speculative_retry = '10ms'")
    try:
        with asking(cluster):
            # A node takes it up when it next works out what reads take, each read_request_timeout.
            until(lambda: replicas_per_read(cluster) > RETRIED, "speculative retries", timeout_s=60)
        yield
    finally:
        session.execute(f"ALTER TABLE {TABLE} WITH {TABLE_OPTIONS}")


@contextmanager
def asking(cluster: SharedCluster) -> Iterator[None]:
    """Ask the first node for the hot partition meanwhile.

    Without a pause: after one the partition is admitted whole until it holds the threads anew.
    """
    over = threading.Event()
    reads = slow_reads.mostly(TABLE, HOT, [])
    with ThreadPoolExecutor(1) as clients:
        asked = clients.submit(slow_reads.ask, cluster.session(0), reads, over.is_set)
        try:
            yield
        finally:
            over.set()
        asked.result()


def replicas_per_read(cluster: SharedCluster) -> float:
    """Return how many replicas the first node asks for a read on average, of the next reads that are served."""
    first = cluster.nodes[0]

    def refused_by_others() -> int:
        return sum(counts(cluster.session(index))["FairShareRefused"] for index in range(1, len(cluster.nodes)))

    # Right after the sample, as at the end: both count over the same time.
    before = sample_now(first)
    refused = refused_by_others()

    def counted() -> Sample | None:
        seen = sample_now(first).since(before)
        return seen if seen.coordinated > READS_TO_COUNT else None

    seen = until(counted, "reads to count", timeout_s=60)
    # Each of these was asked of one replica, and Cassandra counts it for the coordinator, too.
    refused = refused_by_others() - refused
    asked = seen.local + sum(seen.sent.values())
    print(f"{asked} replicas asked for {seen.coordinated} reads, {refused} refused by replicas")
    return (asked - refused) / (seen.coordinated - refused)


@pytest.mark.long
@pytest.mark.parametrize(("mode", "least", "most"), [("on", 0.8, RARELY_RETRIED), ("dry_run", RETRIED, 3)])
def test_a_read_of_a_cut_partition_has_no_speculative_retry(
    cluster: SharedCluster, quick_retries, mode: str, least: float, most: float
):
    """Where no share decides, most have one: all that the first node does not begin to serve itself at once."""
    logs = [LogMark.end_of(node) for node in cluster.nodes]
    with fair_share(cluster, mode), asking(cluster):
        until(lambda: any(begun_to_be_cut(log) for log in logs), "a cut")
        # Those that were retried before it wait for threads.
        replicas_per_read(cluster)
        assert least < replicas_per_read(cluster) < most


def test_all_of_it_is_admitted_again_when_its_clients_are_gone(cluster: SharedCluster):
    logs = [LogMark.end_of(node) for node in cluster.nodes]
    with fair_share(cluster, "on"):
        # Of a single partition: the heat decides which replica it saturates.
        outcomes = slow_reads.ask(cluster.session(0), slow_reads.mostly(TABLE, HOT, []))
        assert outcomes.rejected
        begun = [line for log in logs for line in begun_to_be_cut(log)]
        until(lambda: all(is_over(log) for log in logs), "the end of each cut")
    assert any(f"The partition of {TABLE}, token " in line for line in begun)


def begun_to_be_cut(log: LogMark) -> list[str]:
    return [line for line in log.lines("dev.isotherm") if BEGUN in line]


def is_over(log: LogMark) -> bool:
    """Whether the last that the node has told of a cut is its end: of many in a short time it leaves some out."""
    told = [line for line in log.lines("dev.isotherm") if BEGUN in line or ENDED in line]
    return not told or ENDED in told[-1]


@pytest.fixture
def option(cluster: SharedCluster) -> Iterator[Callable[[str], None]]:
    """Give the table an option of its own for a test."""

    def alter(values: str) -> None:
        cluster.session(0).execute(f"ALTER TABLE {TABLE} WITH per_partition_rate_limit = {{{values}}}")

    yield alter
    alter("")


def test_a_table_that_is_exempt_is_not_cut(saturated, option):
    option("'fair_share': 'false'")
    seen = saturated("on")
    assert (seen.outcomes.uncertain, seen.outcomes.rejected, seen.refused) == ({}, set(), 0)


def test_a_table_chooses_what_its_partitions_may_hold(saturated, option):
    option("'max_share': '0.25'")
    outcomes = saturated("on").outcomes
    # The first are refused by the share of a table that has not said anything yet.
    message = outcomes.reasons.most_common(1)[0][0]
    may_hold = re.search(r" and may hold (\d+) % \(limit\.fair_share\)", message)
    # A quarter of the threads that can be busy, and no less than an eighth of all.
    assert may_hold and 12 <= int(may_hold[1]) <= 25, message


def test_a_limit_beside_the_share_holds_too(saturated, option):
    option("'max_reads_per_second': 10")
    seen = saturated("on")
    outcomes = seen.outcomes
    assert [message for message in outcomes.reasons if message.startswith("Per-partition rate limit exceeded: ")]
    hot = outcomes.acknowledged - seen.reads.of_others
    # An idle partition admits up to a second's worth at once.
    assert len(hot) <= 10 * (outcomes.seconds + 1) * 1.1


def test_nobody_complains(cluster: SharedCluster, marks: list[LogMark]):
    cluster.assert_nothing_failed(marks)
