# SPDX-License-Identifier: Apache-2.0
"""What faults order whom to do, without a cluster; how each of them feels is the experiment's to show."""

import time
from pathlib import Path

import pytest

from isotherm_lab.cluster import control
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.storage import CompressorStorage
from isotherm_lab.experiments import cold_restart
from isotherm_lab.experiments.bad_links import growing_delay
from isotherm_lab.experiments.gray import planned
from isotherm_lab.experiments.gray.faults import FAULTS
from isotherm_lab.progress import Silent

ADDRESSES = ("127.0.0.7", "127.0.0.8", "127.0.0.9")


@pytest.fixture
def cluster() -> Cluster:
    nodes = [Node(address, Path(address), []) for address in ADDRESSES]
    return Cluster("t", Path("t"), nodes, ["isotherm"] * 3)


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    given: list[tuple[str, str, str]] = []
    monkeypatch.setattr(Node, "is_running", lambda _: True)

    def order(node: control.Ordered, command: str, argument: str, *_: object) -> None:
        given.append((str(node.directory), command, argument))

    monkeypatch.setattr(control, "order", order)
    return given


@pytest.mark.parametrize(
    ("name", "places", "state"),
    [("slow-disk", (2,), "slow 20"), ("two-slow", (1, 2), "slow 20"), ("all-slow", (0, 1, 2), "slow 20"),
     ("hung-disk", (2,), "hung"), ("cold-while-slow", (1,), "slow 20")],
)  # fmt: skip
def test_disks_change_and_change_back(cluster, orders, name, places, state):
    with FAULTS[name].befalls(cluster):
        assert sorted(orders) == [(ADDRESSES[place], "disk", state) for place in places]
        orders.clear()
    assert sorted(orders) == [(ADDRESSES[place], "disk", "slow") for place in places]


class Asked(CompressorStorage):
    """A storage that notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple] = []

    def slow(self, nodes, times=1) -> None:
        self.asked.append(("slow", [node.address for node in nodes], times))

    def hang(self, nodes) -> None:
        self.asked.append(("hang", [node.address for node in nodes]))

    def cool(self, node) -> None:
        self.asked.append(("cool", node.address))


def test_disks_are_those_of_the_clusters_storage(cluster, monkeypatch):
    cluster.storage = Asked()
    with FAULTS["two-slow"].befalls(cluster):
        pass
    with FAULTS["hung-disk"].befalls(cluster):
        pass
    for step in ("stop", "start", "wait_until_answers"):
        monkeypatch.setattr(cluster.nodes[2], step, lambda step=step: cluster.storage.asked.append((step,)))
    monkeypatch.setattr(cluster, "save", lambda: None)
    FAULTS["cold-while-slow"].prepare(cluster, Silent())
    assert cluster.storage.asked == [
        ("slow", ["127.0.0.8", "127.0.0.9"], 20), ("slow", ["127.0.0.8", "127.0.0.9"], 1),
        ("hang", ["127.0.0.9"]), ("slow", ["127.0.0.9"], 1),
        ("stop",), ("cool", "127.0.0.9"), ("start",), ("wait_until_answers",),
    ]  # fmt: skip


def test_messages_are_held_back_at_both_ends_of_each_link_of_the_node(cluster, orders):
    with FAULTS["late"].befalls(cluster):
        held = {directory: argument for directory, _, argument in orders}
        assert held == {"127.0.0.7": "100 127.0.0.9", "127.0.0.8": "100 127.0.0.9", "127.0.0.9": "100"}
        orders.clear()
    assert sorted(orders) == [(address, "late", "0") for address in ADDRESSES]


def test_a_delay_grows_step_by_step_and_ends(cluster, orders):
    with growing_delay(cluster, 2, 100, 4, 0.01):
        deadline = time.monotonic() + 10
        while len(orders) < 15 and time.monotonic() < deadline:
            time.sleep(0.01)
    of_the_node = [argument for directory, _, argument in orders if directory == "127.0.0.9"]
    assert of_the_node == ["1", "3", "10", "32", "100", "0"]
    assert {argument for directory, _, argument in orders[:-3] if directory == "127.0.0.7"} == {
        f"{ms} 127.0.0.9" for ms in (1, 3, 10, 32, 100)
    }  # fmt: skip


def test_a_delay_stops_growing_when_the_fault_ends(cluster, orders):
    with growing_delay(cluster, 2, 100, 4, 60):
        pass
    assert {argument.split()[0] for _, _, argument in orders} == {"1", "0"}
    assert sorted(orders[-3:]) == [(address, "late", "0") for address in ADDRESSES]


def test_the_faulty_nodes_are_those_whose_disk_is_slow_and_the_cold_one(cluster):
    faulty = {name: [node.address for node in fault.nodes(cluster)] for name, fault in FAULTS.items()}
    assert faulty["cold-while-slow"] == faulty["two-slow"] == ["127.0.0.8", "127.0.0.9"]
    assert faulty["all-slow"] == list(ADDRESSES)
    others = [name for name in FAULTS if name not in ("cold-while-slow", "two-slow", "all-slow")]
    assert all(faulty[name] == ["127.0.0.9"] for name in others)


def test_own_clients_are_apart_where_the_whole_node_is_bad_and_not_where_only_its_disk_is():
    assert {name for name, fault in FAULTS.items() if fault.own_clients_apart} == {
        "stopped", "paused", "late", "creeping", "starved",
    }  # fmt: skip


def test_a_stopped_process_is_back_before_its_peers_take_it_for_dead():
    assert FAULTS["stopped"].lasts_s(30) == 8 and FAULTS["stopped"].lasts_s(5) == 5
    assert FAULTS["slow-disk"].lasts_s(30) == 30


def test_the_short_form_has_two_variants_and_two_faults_and_ends_within_ten_minutes():
    suite = planned(short=True)
    assert [variant.name for variant in suite.variants] == ["cassandra", "isotherm"]
    assert list(suite.plans) == ["row-cache"]
    plan = suite.plans["row-cache"]
    assert [fault.name for fault in plan.faults] == ["slow-disk", "stopped"]
    assert len(suite.variants) * plan.expected_s() < 600


def test_the_full_form_has_everything():
    suite = planned()
    assert len(suite.variants) == 4 and list(suite.plans) == ["row-cache", "default"]
    assert all(plan.faults == tuple(FAULTS.values()) for plan in suite.plans.values())
    assert [plan.table.heat_source for plan in suite.plans.values()] == ["cache", "read_time"]
    assert [plan.table.data.row_cache for plan in suite.plans.values()] == [True, False]


def test_a_table_of_the_page_cache_has_the_storage_of_a_cold_restart():
    (plan,) = planned(faults=["slow-disk"], table="page-cache", short=True).plans.values()
    assert plan.table == cold_restart.planned(storage="page-cache", short=True).plans["exceeds"]
    assert list(planned(table="all").plans) == ["row-cache", "default", "page-cache"]


def test_options_change_the_plan():
    suite = planned(["isotherm"], ["late"], "default", rate=50.0, seconds=7.0, after=9.0, first_address=41)
    ((name, plan),) = suite.plans.items()
    assert (name, plan.table.rate, plan.fault_s, plan.after_s, plan.first_address) == ("default", 50, 7, 9, 41)
    assert [fault.name for fault in plan.faults] == ["late"]
    (once,), (longer,) = (planned(["isotherm"], ["late"], "default", **more).plans.values()
                          for more in ({}, {"settle": 300.0, "rounds": 3}))  # fmt: skip
    assert (once.rounds, once.lead_s, longer.rounds, longer.lead_s) == (1, 0, 3, 300)
    assert longer.expected_s() - 75 - 300 == pytest.approx(3 * (once.expected_s() - 75))
