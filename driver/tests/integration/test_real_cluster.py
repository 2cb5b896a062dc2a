# SPDX-License-Identifier: Apache-2.0
"""Our policies on real Cassandra under both drivers: coordinators, LWT, changed keyspaces, reports, a node killed."""

import time

import pytest
from isotherm_lab.cluster.cluster import Cluster
from worker import Worker

DRIVERS = ["cassandra", "scylla"]
KEYS = list(range(60))
PROFILES_WITH_REPLICAS = [None, "token", "rack", "default"]


@pytest.fixture(params=DRIVERS)
def worker(request: pytest.FixtureRequest, workers: dict[str, Worker]) -> Worker:
    return workers[request.param]


@pytest.fixture
def table(worker: Worker) -> str:
    """A table of which each row is on one node only."""
    name = f"{worker.driver}_one"
    if name not in CREATED:
        worker("create", keyspace=name, factor=1)
        CREATED.add(name)
    return f"{name}.t"


CREATED: set[str] = set()


def succeeded(report: dict) -> dict:
    assert report["errors"] == []
    return report


def write(worker: Worker, table: str, profile: str | None = None) -> dict:
    rows = [[key, key * 7] for key in KEYS]
    return succeeded(
        worker("execute", query=f"INSERT INTO {table} (key, value) VALUES (?, ?)", rows=rows, name=profile)
    )


def read(worker: Worker, table: str, profile: str | None = None) -> dict:
    query = f"SELECT value FROM {table} WHERE key = ?"
    report = succeeded(worker("execute", query=query, rows=[[key] for key in KEYS], name=profile))
    assert report["answers"] == [[[key * 7]] for key in KEYS]
    return report


def test_each_client_is_under_its_own_driver(worker: Worker) -> None:
    about = worker("about")
    assert about["driver"] == worker.driver
    assert about["token_map"]
    print(about)


@pytest.mark.parametrize("profile", PROFILES_WITH_REPLICAS)
def test_the_replica_coordinates_what_it_owns(worker: Worker, table: str, profile: str | None) -> None:
    write(worker, table)
    report = read(worker, table, profile)
    assert [[each] for each in report["coordinators"]] == report["owners"]
    assert len(set(report["coordinators"])) == 3


def test_other_policies_send_where_they_say(worker: Worker, table: str, cluster: Cluster) -> None:
    write(worker, table)
    first, second, third = cluster.contact_points()
    assert set(read(worker, table, "round")["coordinators"]) == {first, second, third}
    assert set(read(worker, table, "filter")["coordinators"]) == {second, third}
    assert set(read(worker, table, "white")["coordinators"]) == {second}


def test_lightweight_transactions_apply_once(worker: Worker) -> None:
    name = f"{worker.driver}_lwt"
    worker("create", keyspace=name, factor=3)
    query = f"INSERT INTO {name}.t (key, value) VALUES (?, ?) IF NOT EXISTS"
    for attempt, profile in enumerate(PROFILES_WITH_REPLICAS):
        rows = [[key, key * 10 + attempt] for key in KEYS]
        report = succeeded(worker("execute", query=query, rows=rows, name=profile))
        assert [answer[0][0] for answer in report["answers"]] == [attempt == 0] * len(KEYS)
    query = f"SELECT value FROM {name}.t WHERE key = ?"
    report = succeeded(worker("execute", query=query, rows=[[key] for key in KEYS]))
    assert report["answers"] == [[[key * 10]] for key in KEYS]


def test_an_altered_keyspace_changes_the_coordinators(worker: Worker, cluster: Cluster) -> None:
    name = f"{worker.driver}_altered"
    worker("create", keyspace=name, factor=1)
    assert {len(owners) for owners in write(worker, f"{name}.t", "token")["owners"]} == {1}
    worker("alter", keyspace=name, factor=3)
    # Each request now has three owners to choose from, and shuffling sends a key to more than one of them.
    reports = [write(worker, f"{name}.t", "token") for _ in range(3)]
    assert {len(owners) for report in reports for owners in report["owners"]} == {3}
    coordinators = zip(*(report["coordinators"] for report in reports), strict=True)
    assert any(len(set(of_one_key)) > 1 for of_one_key in coordinators)


def heat_by_hand(rows: list[list]) -> list[float] | None:
    """Misses per read of each replica, as the nodes' page has them; None where a heat is missing or of another kind."""
    [kind, *others] = {source for _, source, *_ in rows}
    if others or kind is None:
        return None
    _, _, hits, times, costs = zip(*rows, strict=True)
    if kind == "cache":
        return [1 - each for each in hits]
    heats = costs if kind == "disk" else [max(each, 500.0) for each in times]
    return [each / max(heats) for each in heats]


def test_reports_are_what_the_views_of_the_plugin_say(worker: Worker, cluster: Cluster) -> None:
    name = f"{worker.driver}_reports"
    worker("create", keyspace=name, factor=3)
    write(worker, f"{name}.t")
    address = cluster.contact_points()[0]
    worker("set_floor", address=address, value="0.2")
    deadline = time.monotonic() + 60
    while True:
        for _ in range(3):
            read(worker, f"{name}.t")
        told = worker("reported", address=address, keyspace=name, table="t")
        # Heat may have moved while the reader read: only where it did not, both saw the same.
        if told["before"] == told["after"] and len(told["after"]) == 3 and heat_by_hand(told["after"]):
            break
        assert time.monotonic() < deadline, told
    assert {source for _, source, *_ in told["after"]} == {"disk"}
    assert told["misses"] == pytest.approx(heat_by_hand(told["after"]))
    assert (told["floor"], told["floors"]) == (0.2, ["0.2"])
    worker("set_floor", address=address, value="0.05")
    # A node knows its own queue; of the others it knows what counter updates have told.
    assert address in dict(told["queues"])
    assert {host: depth for host, depth in told["depths"] if depth is not None} == {
        host: depth for host, depth in told["queues"] if depth is not None
    }


def test_a_node_killed_and_back(workers: dict[str, Worker], cluster: Cluster) -> None:
    """One kill for both drivers: no request fails once the driver knows, none goes to the dead, and all return."""
    for driver, worker in workers.items():
        worker("create", keyspace=f"{driver}_three", factor=3)
        write(worker, f"{driver}_three.t")
    victim = cluster.nodes[2]
    victim.kill()
    # Until they know, coordinators ask the dead replica too, and their clients wait in vain.
    cluster.order("peers", "2")
    for driver, worker in workers.items():
        assert worker("wait", address=victim.address, up=False)
        for profile in [*PROFILES_WITH_REPLICAS, "round", "filter"]:
            assert victim.address not in read(worker, f"{driver}_three.t", profile)["coordinators"]
        write(worker, f"{driver}_three.t", "token")
        assert victim.address not in worker("plans", name="round", count=20)
    victim.start()
    cluster.save()
    victim.wait_until_answers()
    cluster.order("peers", "3")
    for driver, worker in workers.items():
        assert worker("wait", address=victim.address, up=True)
        for profile in ["token", "rack", "round", "filter"]:
            plans = worker("plans", name=profile, count=30)
            assert plans[victim.address] == 30
        reports = [read(worker, f"{driver}_three.t", "token") for _ in range(2)]
        assert victim.address in {each for report in reports for each in report["coordinators"]}
