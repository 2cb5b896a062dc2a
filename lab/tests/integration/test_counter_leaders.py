# SPDX-License-Identifier: Apache-2.0
"""Counter updates with the plugin on every node: each is counted once, whoever leads it and whatever dies meanwhile."""

import time
from collections.abc import Iterator
from itertools import count

import pytest
from cassandra import ConsistencyLevel, Unavailable, WriteTimeout
from cassandra.cluster import Session
from cassandra.query import SimpleStatement
from coordinators import execute_all
from counter_updates import KINDS, LEVELS, TABLE, CounterUpdates
from plugin_views import LogMark, change_setting, counts
from probes import sample_now
from shared_cluster import SharedCluster
from waiting import until

from isotherm_lab.cluster import control
from isotherm_lab.cluster.node import Node
from isotherm_lab.load.counter_load import CounterLoadSettings
from isotherm_lab.load.process import LoadProcess, all_sending
from isotherm_lab.load.update_outcomes import ACKNOWLEDGED, of_clients

#: The counters that the load updates.
KEYS = 200
UPDATES_PER_S = 200
#: Within which a node stops that waits for answers until they time out, after ten seconds.
STOPS_S = 25
#: What these may be at most.
PATIENT = {"queue.soft_limit": str(2**20 - 1), "queue.timeout": "1s"}
#: From here on are counters that are in no load's account.
BESIDE = 10 * KEYS


def decisions(cluster: SharedCluster, index: int) -> int:
    return sum(counts(cluster.session(index))[kind] for kind in KINDS)


def without_copy_on(cluster: SharedCluster, address: str) -> int:
    """Return a key that, as the next one, has no replica on this node, so that both others may lead its updates."""
    return next(key for key in count(2000) if address not in cluster.replicas_of(key) | cluster.replicas_of(key + 1))


@pytest.fixture(scope="module")
def updates(shared_cluster: SharedCluster) -> CounterUpdates:
    """Counters of two replicas on three nodes, so that a coordinator is the replica of some and not of others.

    A node that has come back is chosen as leader once it has been there for one to two seconds.
    """
    made = CounterUpdates(shared_cluster, replication=2)
    keys = [without_copy_on(shared_cluster, address) for address in shared_cluster.addresses]

    def chooses(coordinator: int) -> bool:
        before = decisions(shared_cluster, coordinator)
        singles = sum(made.each_kind(coordinator, "QUORUM", key) for key in keys)
        return decisions(shared_cluster, coordinator) - before >= singles + 2 * len(keys)

    for coordinator in range(3):
        until(lambda at=coordinator: chooses(at), f"node {coordinator + 1} chooses among all")
    return made


@pytest.mark.contract
@pytest.mark.parametrize("coordinator", range(3))
def test_every_kind_at_every_level_counts_once(
    shared_cluster: SharedCluster, updates: CounterUpdates, coordinator: int
):
    for place, level in enumerate(LEVELS):
        before = decisions(shared_cluster, coordinator)
        singles = updates.each_kind(coordinator, level, 20 * place + 2 * coordinator)
        # A batch needs a leader for each of its ranges of tokens: its two counters lie in one or in two.
        assert singles + 2 <= decisions(shared_cluster, coordinator) - before <= singles + 4
    assert updates.counted() == updates.acknowledged


@pytest.fixture
def all_short(shared_cluster: SharedCluster) -> Iterator[None]:
    """Node 1 takes every queue for short, its own too where updates took it long, as on a machine that is busy.

    It waits for answers as long as it may: a machine that stands still for a moment would have one time out.
    """
    session = shared_cluster.session(0)
    shown = {row.name: row.value for row in session.execute("SELECT name, value FROM isotherm.settings")}
    try:
        for name, most in PATIENT.items():
            change_setting(session, name, most)
        yield
    finally:
        for name in PATIENT:
            change_setting(session, name, shown[name])


@pytest.mark.contract
@pytest.mark.usefixtures("all_short")
def test_a_replica_with_a_short_queue_leads_what_it_coordinates_and_others_ask(shared_cluster: SharedCluster, updates):
    session, own = shared_cluster.session(0), shared_cluster.addresses[0]
    keys = range(1000, 1060)
    statement = session.prepare(f"UPDATE {TABLE} SET value = value + 1 WHERE key = ?")

    def update(key: int) -> None:
        session.execute(statement, (key,))
        updates.acknowledged[key] += 1

    def knows_the_queues() -> bool:
        update(next(key for key in keys if own not in shared_cluster.replicas_of(key)))
        ages = [row.age_ms for row in session.execute("SELECT * FROM isotherm.queues") if row.address != own]
        return len(ages) == 2 and all(age is not None and age < 500 for age in ages)

    until(knows_the_queues, "node 1 has fresh answers of both others")
    before, sample, began = counts(session), sample_now(shared_cluster.nodes[0]), time.monotonic()
    for key in keys:
        update(key)
    seconds = time.monotonic() - began
    led = sum(own in shared_cluster.replicas_of(key) for key in keys)
    after = counts(session)
    assert 0 < led < len(keys)
    made = {kind: after[kind] - before[kind] for kind in KINDS}
    assert sum(made.values()) == len(keys)
    # Those that it is no replica of are led by others, whom it has asked or heard; and one a second, to compare it.
    here = made["LeaderLocal"] + made["LeaderLocalOverLimit"]
    assert led - 1 - seconds <= here <= led
    # A client is answered before its update counts as done.
    until(lambda: sample_now(shared_cluster.nodes[0]).since(sample).led >= here, "what was chosen is done")
    assert sample_now(shared_cluster.nodes[0]).since(sample).led == here
    assert made["LeaderRedirected"] + made["LeaderLeastLoaded"] >= len(keys) - led
    assert made["LeaderRandom"] == made["LeaderTimedOut"] == 0
    assert updates.counted() == updates.acknowledged


@pytest.mark.contract
def test_the_queues_of_all_nodes_are_to_be_seen(shared_cluster: SharedCluster, updates: CounterUpdates):
    session = shared_cluster.session(0)

    # Of a counter that it has a copy of, it would ask the other replica alone.
    key = without_copy_on(shared_cluster, shared_cluster.addresses[0])

    def heard() -> bool:
        updates.each_kind(0, "ALL", key)
        rows = {row.address: row for row in session.execute("SELECT * FROM isotherm.queues")}
        assert rows[shared_cluster.addresses[0]].age_ms is None
        return set(rows) == set(shared_cluster.addresses) and all(
            rows[peer].estimate is not None and rows[peer].age_ms >= 0 for peer in shared_cluster.addresses[1:]
        )

    until(heard, "node 1 believes something of the queues of both others")


@pytest.mark.contract
def test_switched_off_and_on(shared_cluster: SharedCluster, updates: CounterUpdates):
    session = shared_cluster.session(1)
    change_setting(session, "queue.enabled", "false")
    before = decisions(shared_cluster, 1)
    updates.each_kind(1, "QUORUM", 3000)
    assert decisions(shared_cluster, 1) == before
    change_setting(session, "queue.enabled", "true")
    updates.each_kind(1, "QUORUM", 3000)
    assert decisions(shared_cluster, 1) > before
    assert updates.counted() == updates.acknowledged


@pytest.mark.contract
@pytest.mark.long
def test_a_node_whose_peers_are_silent_stops_in_time(shared_cluster: SharedCluster, updates: CounterUpdates):
    """Cassandra waits until nobody waits for an answer, for up to a minute, and a silent peer is asked each second."""
    node = shared_cluster.nodes[2]
    session = shared_cluster.session(2)
    control.order(node, "lost", "100")

    def asks_by_itself() -> bool:
        for key in range(4000, 4020):
            session.execute_async(SimpleStatement(f"UPDATE {TABLE} SET value = value + 1 WHERE key = {key}"))
        # The updates have asked by then, or given up; what is asked afterwards is asked each second.
        time.sleep(1)
        asked = counts(session)["QueueQuestionsAsked"]
        time.sleep(3)
        return counts(session)["QueueQuestionsAsked"] >= asked + 2

    try:
        until(asks_by_itself, "its peers are silent", timeout_s=60)
    finally:
        begun, stopped_after = time.monotonic(), []
        shared_cluster.restart(2, lambda: stopped_after.append(time.monotonic() - begun))
    assert stopped_after[0] < STOPS_S


@pytest.fixture(scope="module")
def load(shared_cluster: SharedCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadProcess]:
    """A client that updates counters of three replicas through all nodes; it sends no update twice."""
    CounterUpdates(shared_cluster, replication=3)
    directory = tmp_path_factory.mktemp("counter-load")
    settings = CounterLoadSettings(
        shared_cluster.addresses, str(directory), rate=UPDATES_PER_S, keys=KEYS, seed=11, timeout_s=15
    )
    with all_sending([settings]) as (load,):
        yield load


def acknowledged(load: LoadProcess) -> int:
    """Return how many updates were acknowledged until some moment of the last second."""
    load.check()
    return load.latest["sent"] - load.latest["in_flight"] - sum(load.latest["errors"].values())


def seen_dead(session: Session) -> bool:
    """Whether the coordinator refuses what needs a dead replica, instead of waiting for it."""
    needs_all = f"UPDATE {TABLE} SET value = value + 1 WHERE key = {BESIDE}"
    try:
        session.execute(SimpleStatement(needs_all, consistency_level=ConsistencyLevel.ALL))
    except Unavailable:
        return True
    except WriteTimeout:
        pass
    return False


@pytest.mark.long
def test_a_leader_dies_under_load_and_no_acknowledged_update_is_lost(shared_cluster: SharedCluster, load: LoadProcess):
    until(lambda: acknowledged(load) >= 300, "updates are acknowledged")

    def while_it_is_dead() -> None:
        until(lambda: seen_dead(shared_cluster.session(0)), "node 1 sees that node 3 is dead", timeout_s=60)
        session = shared_cluster.session(0)
        update = session.prepare(f"UPDATE {TABLE} SET value = value + 1 WHERE key = ?")
        # Nobody chooses it any more, so nothing times out.
        execute_all(session, update, [(key,) for key in range(BESIDE, BESIDE + 200)], ConsistencyLevel.QUORUM)

    shared_cluster.restart(2, while_it_is_dead, end=Node.kill)
    done = acknowledged(load)
    until(lambda: acknowledged(load) >= done + 300, "updates are acknowledged by the restarted node too")
    load.stop()
    query = SimpleStatement(f"SELECT key, value FROM {TABLE}", consistency_level=ConsistencyLevel.ALL)
    counted = sum(row.value for row in shared_cluster.session(0).execute(query) if row.key < KEYS)
    _, outcomes = of_clients([load.directory])
    # What ended in an error may have been counted.
    assert outcomes[ACKNOWLEDGED] <= counted <= sum(outcomes.values()), outcomes


@pytest.mark.contract
def test_nothing_of_ours_failed(shared_cluster: SharedCluster, marks: list[LogMark]):
    shared_cluster.assert_nothing_failed(marks)
