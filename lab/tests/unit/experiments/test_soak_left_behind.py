# SPDX-License-Identifier: Apache-2.0
"""What nodes may hold after a fault, judged without a cluster."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from isotherm_lab.cluster.process_identity import ProcessIdentity
from isotherm_lab.experiments.soak import left_behind
from isotherm_lab.experiments.soak.left_behind import (
    A_TABLE,
    HANDLES_A_PEER,
    MORE,
    OF_ALL_ELSE,
    OWN,
    LeftBehind,
    account,
    held_more,
    leaks,
    most_grown,
    own_leaks,
)
from isotherm_lab.measure.holdings import Holdings

NOTHING = Holdings(0, 0, 0, 0, 0).as_json()
PEERS = 2
BOUNDS = MORE | {"handles": PEERS * HANDLES_A_PEER}


@pytest.mark.parametrize("name", BOUNDS)
def test_what_grows_by_more_than_without_the_plugin_and_the_bound_is_a_leak(name: str):
    most = BOUNDS[name]
    stock = NOTHING | {name: 100}
    assert leaks(stock, NOTHING | {name: 100 + most}, PEERS) == []
    (sentence,) = leaks(stock, NOTHING | {name: 101 + most}, PEERS)
    assert sentence.startswith(f"a node has {101 + most:,} ")
    assert sentence.endswith("more than before the fault with the plugin, 100 without")


def test_the_sentence_of_a_heap_has_the_classes_that_grew_most():
    grown = most_grown({"A": 100, "B": 5, "C": 7}, {"A": 90, "B": 15, "C": 5_007, "D": 400})
    assert list(grown.items()) == [("C", 5_000), ("D", 400), ("B", 10)]
    assert len(most_grown({}, {str(place): place for place in range(50)})) == 10
    leaking = NOTHING | {"heap_bytes": 1 + MORE["heap_bytes"], "threads": 1 + MORE["threads"]}
    heap, threads = leaks(NOTHING, leaking, PEERS, grown)
    assert heap.endswith(" without; most are 5,000 of C, 400 of D, 10 of B")
    assert threads.endswith(" without")


@pytest.mark.parametrize("name", OWN)
def test_the_plugins_own_may_grow_by_as_much_whatever_stock_does(name: str):
    assert own_leaks(under({})) == own_leaks(under(NOTHING | {name: OWN[name]})) == []
    (sentence,) = own_leaks(under(NOTHING | {name: 1 + OWN[name]}))
    assert sentence.startswith(f"a node has {1 + OWN[name]:,} ")


def test_of_many_tables_the_plugin_may_learn_what_each_node_tells_of_each():
    most = A_TABLE * 900 + OF_ALL_ELSE
    grew = NOTHING | {"plugin_objects": most}
    assert own_leaks(under(grew, 900, most)) == []
    (sentence,) = own_leaks(under(grew, 900, most + 1))
    assert sentence == f"a node has {most + 1:,} objects of the plugin with 900 tables"
    assert len(own_leaks(under(NOTHING | {"plugin_threads": 1}, 900, most))) == 1


def under(grew: dict[str, int], tables: int = 0, objects: int = 0) -> dict[str, Any]:
    """The account of a fault after which a node has so many objects of the plugin."""
    return {"grew": grew, "tables": tables, "holdings": {"a": {"after": NOTHING | {"plugin_objects": objects}}}}


def test_what_shrinks_without_the_plugin_takes_nothing_from_what_may_grow_with_it():
    assert leaks(NOTHING | {"threads": -50}, NOTHING | {"threads": MORE["threads"]}, PEERS) == []


def test_nothing_is_said_where_all_nodes_were_started_again():
    assert leaks({}, {}, PEERS) == leaks({}, NOTHING | {"threads": 1_000}, PEERS) == []


@pytest.mark.parametrize("name", BOUNDS)
def test_nodes_that_were_started_again_are_compared_with_such_nodes_of_stocks(name: str):
    most = BOUNDS[name]
    stock = {"a": NOTHING | {name: 70}, "b": NOTHING | {name: 100}}
    assert held_more(stock, {"a": NOTHING | {name: 100 + most}}, PEERS) == []
    (sentence,) = held_more(stock, {"a": NOTHING, "b": NOTHING | {name: 101 + most}}, PEERS)
    assert sentence.startswith(f"a node that was started again has {101 + most:,} ")
    assert sentence.endswith(" with the plugin, 100 without")
    assert held_more({}, {"a": NOTHING | {name: 101 + most}}, PEERS) == held_more(stock, {}, PEERS) == []


def test_the_plugins_own_threads_are_none_that_a_node_which_was_started_again_has_too_many_of():
    stock = {"a": NOTHING | {"threads": 22}}
    most = MORE["threads"]
    assert held_more(stock, {"a": NOTHING | {"threads": 22 + 4 + most, "plugin_threads": 4}}, PEERS) == []
    assert len(held_more(stock, {"a": NOTHING | {"threads": 23 + 4 + most, "plugin_threads": 4}}, PEERS)) == 1


def test_the_account_has_the_most_that_any_node_grew_by():
    small, large = Holdings(10, 5, 5, 5, 5), Holdings(30, 4, 9, 5, 5)
    told = account({"127.0.0.1": (small, large), "127.0.0.2": (large, small)}, {"127.0.0.3": small})
    assert told["grew"] == Holdings(20, 1, 4, 0, 0).as_json()
    assert told["holdings"]["127.0.0.2"] == {"before": large.as_json(), "after": small.as_json()}
    assert told["started_again"] == {"127.0.0.3": small.as_json()}
    assert account({}, {}) == {"grew": {}, "holdings": {}, "started_again": {}}


def test_a_node_that_was_started_again_is_left_out_until_the_next_fault(monkeypatch: pytest.MonkeyPatch):
    nodes = [
        SimpleNamespace(address=address, directory=Path(address), identity=ProcessIdentity(pid, 1.0))
        for pid, address in enumerate(("a", "b"), start=100)
    ]
    held = {100: Holdings(1, 1, 1, 1, 1), 101: Holdings(1, 1, 1, 1, 1), 102: Holdings(9, 9, 9, 9, 9)}
    orders = []
    monkeypatch.setattr(left_behind, "order_all", lambda _, *order: orders.append(order[:2]))
    monkeypatch.setattr(left_behind, "SETTLED_S", 0)
    monkeypatch.setattr(left_behind.holdings, "read", lambda _, pid: held[pid])
    classes = {"a": {"A": 5}, "b": {"B": 7}}
    monkeypatch.setattr(left_behind.holdings, "bytes_by_class", lambda directory: dict(classes[directory.name]))
    watched = LeftBehind(SimpleNamespace(nodes=nodes))
    assert watched.look() == {"grew": {}, "holdings": {}, "started_again": {}}
    assert orders == [("flush", "lab"), ("flush", "system"), ("holdings", "")]
    nodes[1].identity = ProcessIdentity(102, 2.0)
    held[100] = replace(held[100], threads=3)
    classes["a"]["A"], classes["b"]["B"] = 9, 900
    told = watched.look()
    assert told["classes_grew"] == {"A": 4}
    assert list(told["holdings"]) == ["a"]
    assert told["started_again"] == {"b": held[102].as_json()}
    assert told["grew"] == NOTHING | {"threads": 2}
    held[102] = replace(held[102], handles=8)
    told = watched.look()
    assert told["grew"]["handles"] == 0 and told["started_again"] == {}
