# SPDX-License-Identifier: Apache-2.0
"""Which clients a fault has on which cluster, without one."""

from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from isotherm_lab.experiments.soak import parties, turns
from isotherm_lab.experiments.soak.faults import FAULTS
from isotherm_lab.experiments.soak.parties import Parties, together
from isotherm_lab.experiments.soak.plan import PLUGIN, STOCK, planned
from isotherm_lab.experiments.soak.scenes import ONE_DATACENTER, TWO_DATACENTERS

SIX = SimpleNamespace(nodes=[SimpleNamespace(address=f"127.0.0.{number}") for number in range(1, 7)])
ACCOUNT: dict[str, Any] = {
    "operations": 10, "failed": 2, "unlimited_operations": 8, "unlimited_failed": 1,
    "violations": 1, "undecided": 0, "untouched": 0, "rejected": 3,
    "sentences": ["a key is lost"],
    "clients": {"counters": {"operations": 10, "failed": 2, "errors": {}}},
}  # fmt: skip


def test_faults_of_one_cluster_befall_it_one_after_the_other():
    plan = planned(short=True, faults=["late", "two-datacenters", "none"])
    assert {scene.name: [fault.name for fault in faults] for scene, faults in plan.scenes().items()} == {
        "": ["late", "none"],
        "two-datacenters": ["two-datacenters"],
    }
    assert plan.expected_s(STOCK) > sum(plan.takes_s(fault) for fault in plan.faults) + 2 * 35


def test_only_the_plugin_takes_turns_where_there_are_many_tables():
    plan = planned(faults=["tables"])
    assert plan.expected_s(PLUGIN) == plan.expected_s(STOCK) + turns.expected_s()


def test_each_node_is_a_replica_and_a_quorum_of_each_datacenter_lives_without_one():
    assert ONE_DATACENTER.replicas == {"dc1": 3}
    assert TWO_DATACENTERS.replicas == {"dc1": 3, "dc2": 3}
    befallen = [TWO_DATACENTERS.datacenters[place] for place in FAULTS["two-datacenters"].places]
    assert befallen == ["dc1", "dc2"]


def test_clients_use_coordinators_of_their_own_datacenter_that_are_not_spared(monkeypatch: pytest.MonkeyPatch):
    loads = []

    @contextmanager
    def recorded(points: list[str], clients: list[Any], **how: Any):
        loads.append((points, how["consistency"], how["datacenter"], how["only"]))
        yield

    monkeypatch.setattr(parties, "RecordedLoad", recorded)
    with Parties(TWO_DATACENTERS, 1, 1, None).load(SIX, spared=(5,)):
        pass
    assert loads == [
        (["127.0.0.1", "127.0.0.2", "127.0.0.3"], "LOCAL_QUORUM", "dc1", True),
        (["127.0.0.4", "127.0.0.5"], "EACH_QUORUM", "dc2", True),
    ]


def test_no_two_datacenters_and_no_two_faults_share_a_key():
    seen: set[int] = set()
    for place in range(len(FAULTS) + 1):
        for mix in Parties(TWO_DATACENTERS, place, 1, None)._mixes.values():
            own = {*mix.adds.keys, *mix.many.keys}
            assert not own & seen
            seen |= own


def test_only_one_party_creates_and_drops_the_table():
    mixes = Parties(TWO_DATACENTERS, 1, 1, "")._mixes.values()
    assert [mix.changes is not None for mix in mixes] == [True, False]


def test_the_account_of_two_is_their_sum_and_that_of_one_is_itself():
    assert together({"dc1, QUORUM": ACCOUNT}) == ACCOUNT
    told = together({"dc1, LOCAL_QUORUM": ACCOUNT, "dc2, EACH_QUORUM": ACCOUNT | {"undecided": 3}})
    assert [told[name] for name in ("operations", "failed", "violations", "undecided", "rejected")] == [20, 4, 2, 3, 6]
    assert (told["unlimited_operations"], told["unlimited_failed"]) == (16, 2)
    assert told["sentences"] == ["dc1, LOCAL_QUORUM: a key is lost", "dc2, EACH_QUORUM: a key is lost"]
    assert list(told["clients"]) == ["counters (dc1, LOCAL_QUORUM)", "counters (dc2, EACH_QUORUM)"]
