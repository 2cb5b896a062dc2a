# SPDX-License-Identifier: Apache-2.0
"""Datacenters of three nodes and of one: each consistency level contacts whom it must, limits and counters hold."""

from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel
from coordinators import execute_all
from hammering import hammer
from partition_limits import decided, limit
from plugin_views import LogMark, change_setting, counts
from probes import samples_now
from shared_cluster import FIRST_ADDRESS, KEYSPACE, PATIENT, ROW_CACHE, TABLE_OPTIONS, SharedCluster
from waiting import until

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.variants import variant

HERE, THERE = "dc1", "dc2"
DATACENTERS = (HERE, HERE, HERE, THERE)
#: A coordinator of each datacenter.
FIRST_HERE, FIRST_THERE = 0, 3
#: The levels that leave a coordinator of the larger datacenter a choice of replicas.
CHOICES = ("LOCAL_ONE", "LOCAL_QUORUM", "ONE", "TWO", "EACH_QUORUM")
KEYS = range(200)
LIMIT = 10
BURST = 1 + 4 * LIMIT // 10
SECONDS = 5


@pytest.fixture(scope="module")
def cluster() -> Iterator[SharedCluster]:
    """The nodes, all with the plugin; each row has all of them for replicas."""
    made = Cluster.create(
        "two-datacenters", [variant("isotherm")] * len(DATACENTERS), first_address=FIRST_ADDRESS,
        datacenters=DATACENTERS, overrides={"row_cache_size": "32MiB"} | PATIENT,
        # Who pauses on a busy machine would lose reads to others, and copies would add to those that are counted.
        heat_source="cache",
        isotherm_overrides={
            "dynamic_snitch": False, "guard": {"enabled": False}, "warming": {"enabled": False},
        },
    )  # fmt: skip
    with made:
        made.start()
        shared = SharedCluster(made)
        session = shared.session(FIRST_HERE)
        session.execute(
            f"CREATE KEYSPACE {KEYSPACE} WITH replication ="
            f" {{'class': 'NetworkTopologyStrategy', '{HERE}': 3, '{THERE}': 1}}"
        )
        marks = [LogMark.end_of(node) for node in shared.nodes]
        try:
            shared.fill("cached", KEYS, ROW_CACHE)
            yield shared
            shared.assert_nothing_failed(marks)
        finally:
            shared.close()


def reads_of_nodes(cluster: SharedCluster, coordinator: int, level: str) -> list[int]:
    """Read all keys through a coordinator; return how many reads each node executed."""
    before = samples_now(cluster.nodes)
    cluster.read(coordinator, "cached", KEYS, ConsistencyLevel.name_to_value[level])
    after = samples_now(cluster.nodes)
    return [late.since(early).reads for late, early in zip(after, before, strict=True)]


@pytest.mark.parametrize(
    ("coordinator", "level", "here", "there"),
    [
        (FIRST_HERE, "LOCAL_ONE", 1, 0),
        (FIRST_HERE, "LOCAL_QUORUM", 2, 0),
        (FIRST_HERE, "ONE", 1, 0),
        (FIRST_HERE, "TWO", 2, 0),
        (FIRST_HERE, "QUORUM", 3, 0),
        (FIRST_HERE, "EACH_QUORUM", 2, 1),
        (FIRST_THERE, "LOCAL_ONE", 0, 1),
        (FIRST_THERE, "LOCAL_QUORUM", 0, 1),
        (FIRST_THERE, "TWO", 1, 1),
        (FIRST_THERE, "QUORUM", 2, 1),
        (FIRST_THERE, "EACH_QUORUM", 2, 1),
    ],
)
@pytest.mark.parametrize("placement", ["local", "affinity"])
def test_a_read_contacts_as_many_replicas_of_each_datacenter_as_its_level_says(
    cluster: SharedCluster, coordinator: int, level: str, here: int, there: int, placement: str
):
    session = cluster.session(coordinator)
    change_setting(session, "heat.placement", placement)
    try:
        drawn = counts(session)["BalancedReads"]
        counted = reads_of_nodes(cluster, coordinator, level)
        drawn = counts(session)["BalancedReads"] - drawn
    finally:
        change_setting(session, "heat.placement", "local")
    assert (sum(counted[:FIRST_THERE]), counted[FIRST_THERE]) == (here * len(KEYS), there * len(KEYS))
    if placement == "affinity":
        # Each read is drawn where there is a choice, and none elsewhere.
        assert drawn == (len(KEYS) if coordinator == FIRST_HERE and level in CHOICES else 0)


def test_a_cold_node_gives_reads_to_its_neighbours_and_none_to_the_other_datacenter(cluster: SharedCluster):
    def serves_its_own() -> bool:
        # In turns: a node that coordinates more reads than the others, or has not heard of theirs, sends them some.
        for _ in range(20):
            for coordinator in range(FIRST_THERE):
                cluster.read(coordinator, "cached", KEYS, ConsistencyLevel.LOCAL_ONE)
        counted = reads_of_nodes(cluster, FIRST_HERE, "LOCAL_ONE")
        for other in range(1, FIRST_THERE):
            cluster.read(other, "cached", KEYS, ConsistencyLevel.LOCAL_ONE)
        return counted == [len(KEYS), 0, 0, 0]

    until(serves_its_own, "a warm node beside warm ones serves what it coordinates")
    cluster.restart(FIRST_HERE)
    counted = reads_of_nodes(cluster, FIRST_HERE, "LOCAL_ONE")
    assert counted[FIRST_THERE] == 0
    assert sum(counted) == len(KEYS)
    # Its neighbours have all rows cached, and reads of their own to serve: they get half of these. A quarter is no
    # chance.
    assert sum(counted[1:]) > len(KEYS) / 4


@pytest.mark.parametrize(
    ("query", "level"),
    [
        ("SELECT value FROM lab.limited WHERE key = ?", "LOCAL_QUORUM"),
        ("INSERT INTO lab.limited (key, value) VALUES (?, 1)", "LOCAL_QUORUM"),
        ("INSERT INTO lab.limited (key, value) VALUES (?, 1)", "EACH_QUORUM"),
    ],
    ids=["reads", "writes", "writes_of_each_quorum"],
)
def test_coordinators_of_both_datacenters_share_one_limit(cluster: SharedCluster, query: str, level: str):
    session = cluster.session(FIRST_HERE)
    session.execute(f"DROP TABLE IF EXISTS {KEYSPACE}.limited")
    session.execute(
        f"CREATE TABLE {KEYSPACE}.limited (key bigint PRIMARY KEY, value bigint) WITH {TABLE_OPTIONS}"
        f" AND {limit(reads=LIMIT, writes=LIMIT)}"
    )
    sessions = [session, cluster.session(FIRST_THERE)]
    statements = [each.prepare(query) for each in sessions]
    statements[0].consistency_level = ConsistencyLevel.name_to_value[level]
    outcomes = hammer(sessions, lambda _: statements[0].bind((1,)), seconds=SECONDS, at_least=300)
    operation = "reads" if query.startswith("SELECT") else "writes"
    told = decided(cluster, "limited")
    assert outcomes.uncertain == {}
    assert (told[f"admitted_{operation}"], told[f"rejected_{operation}"]) == (
        len(outcomes.acknowledged),
        len(outcomes.rejected),
    )
    assert outcomes.rejected
    # Each replica may spend a burst before it hears of the others; from then on they share one limit. Two that heard of
    # nobody would admit as much as two limits.
    least = BURST + 0.5 * LIMIT * outcomes.counted_s
    assert least <= len(outcomes.acknowledged) <= len(DATACENTERS) * BURST + 1.5 * LIMIT * outcomes.seconds


def test_counter_updates_of_both_datacenters_are_counted_once_each(cluster: SharedCluster):
    cluster.session(FIRST_HERE).execute(f"CREATE TABLE {KEYSPACE}.counted (key bigint PRIMARY KEY, value counter)")
    levels = {FIRST_HERE: ConsistencyLevel.LOCAL_QUORUM, FIRST_THERE: ConsistencyLevel.EACH_QUORUM}
    for coordinator, level in levels.items():
        session = cluster.session(coordinator)
        update = session.prepare(f"UPDATE {KEYSPACE}.counted SET value = value + 1 WHERE key = ?")
        execute_all(session, update, [(key,) for key in KEYS] * 2, level)
    select = cluster.session(FIRST_HERE).prepare(f"SELECT value FROM {KEYSPACE}.counted WHERE key = ?")
    select.consistency_level = ConsistencyLevel.ALL
    counted = {cluster.session(FIRST_HERE).execute(select, (key,)).one().value for key in KEYS}
    assert counted == {4}
    for coordinator in levels:
        assert counts(cluster.session(coordinator))["Failures"] == 0


def test_one_datacenter_serves_while_a_node_of_the_other_is_down(cluster: SharedCluster):
    last = cluster.nodes[-1]
    cluster.coordinators.forget(last.address)
    last.stop()
    try:
        cluster.cluster.order("peers", str(len(DATACENTERS) - 1))
        counted = sum(sample.reads for sample in samples_now(cluster.nodes[:FIRST_THERE]))
        cluster.read(FIRST_HERE, "cached", KEYS, ConsistencyLevel.LOCAL_QUORUM)
        assert sum(sample.reads for sample in samples_now(cluster.nodes[:FIRST_THERE])) - counted == 2 * len(KEYS)
    finally:
        last.start()
        cluster.cluster.save()
        last.wait_until_answers()
        cluster.cluster.order("peers", str(len(DATACENTERS)))
