# SPDX-License-Identifier: Apache-2.0
"""How many tables are created and used, without a cluster."""

from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.soak import many_tables
from isotherm_lab.experiments.soak.parties import Parties
from isotherm_lab.experiments.soak.plan import PLUGIN, STOCK, planned
from isotherm_lab.experiments.soak.report import shortcomings
from isotherm_lab.experiments.soak.scenes import MANY_TABLES
from isotherm_lab.load.table_clients import TableClients
from isotherm_lab.measure.histories import violations

CLUSTER = SimpleNamespace(nodes=[SimpleNamespace(directory="node1", address="a")] * 3)


class Statements:
    """A session that keeps rows by table, and what else it was told."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.altered: list[str] = []
        self.versions = iter(["first", "second", "first", *["second"] * 100])

    def execute(self, statement: str, timeout: float | None = None) -> Any:
        if statement.startswith("ALTER"):
            return self.altered.append(statement)
        return SimpleNamespace(one=lambda: SimpleNamespace(schema_version=next(self.versions)))

    def execute_async(self, statement: Any) -> Any:
        words = statement.query_string.split()
        name = words[2] if words[0] == "INSERT" else words[3]
        if words[0] == "INSERT":
            self.rows[name] = int(words[-1].rstrip(")"))
        row = SimpleNamespace(value=self.rows[name])
        return SimpleNamespace(result=lambda: SimpleNamespace(one=lambda: row), coordinator_host=None)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """What each node is asked through."""
    asked = Statements()

    @contextmanager
    def connected(*_: object, **__: object):
        yield asked

    monkeypatch.setattr("isotherm_lab.experiments.soak.scenes.connected", connected)
    monkeypatch.setattr(many_tables.time, "sleep", lambda _: None)
    return asked


def test_all_tables_are_created_and_some_are_limited(session: Statements, monkeypatch: pytest.MonkeyPatch):
    orders = []
    monkeypatch.setattr(many_tables.control, "order", lambda _, name, argument, timeout_s: orders.append(argument))
    many_tables.create(CLUSTER, MANY_TABLES, 120, " WITH limits", lambda _: None)
    assert orders == ["lab 0 100", "lab 100 120"]
    assert session.altered == [f"ALTER TABLE lab.spread_{number} WITH limits" for number in (0, 50, 100)]
    many_tables.create(CLUSTER, MANY_TABLES, 1, "", lambda _: None)
    assert len(session.altered) == 3


def test_nodes_that_never_agree_are_told_of(session: Statements, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(many_tables.control, "order", lambda *_, **__: None)
    monkeypatch.setattr(many_tables, "_PATIENCE_S", -1)
    with pytest.raises(LabError, match="did not agree"):
        many_tables.create(CLUSTER, MANY_TABLES, 1, "", lambda _: None)


def test_each_client_goes_through_its_tables_again_and_again():
    clients, asked = TableClients(tables=20, row=3000), Statements()
    bodies = clients.bodies(asked)
    bodies[0]()
    assert clients.untouched() == 19
    for body in bodies:
        for _ in range(4):
            body()
    assert clients.untouched() == 0
    history = clients.history.so_far()
    assert violations(history) == []
    assert max(each.value for each in history) == 2
    assert set(asked.rows) == {f"lab.spread_{number}" for number in range(20)}


def test_a_table_that_is_not_read_is_untouched_and_a_shortcoming():
    clients, asked = TableClients(tables=1, row=0), Statements()

    def dies(statement: Any) -> Any:
        if statement.query_string.startswith("SELECT"):
            raise ConnectionError
        return Statements.execute_async(asked, statement)

    asked.execute_async = dies
    (body,) = clients.bodies(asked)
    body()
    assert clients.untouched() == 1
    row = {"name": "tables", "operations": 9, "failed": 0, "sentences": [], "undecided": 0, "untouched": 1, "tables": 1,
           "rejected": 1, "plugin_failures": 0, "grew": {}, "holdings": {}, "started_again": {},
           "unlimited_operations": 9, "unlimited_failed": 0, "clients": {}}  # fmt: skip
    assert shortcomings([row | {"variant": STOCK, "untouched": 0}, row | {"variant": PLUGIN}]) == [
        "tables, isotherm: 1 tables were not both written and read"
    ]


def test_only_where_there_are_many_tables_do_clients_use_them():
    plan = planned(short=True, faults=["tables"], tables=7)
    assert (plan.tables, [scene.many_tables for scene in plan.scenes()]) == (7, [True])
    (mix,) = Parties(MANY_TABLES, 1, 1, None, plan.tables)._mixes.values()
    assert "many tables" in mix.clients()
    assert Parties(MANY_TABLES, 1, 1, None, plan.tables).untouched() == 7
    assert Parties(MANY_TABLES, 1, 1, None).untouched() == 0
    (mix,) = Parties(MANY_TABLES, 1, 1, None)._mixes.values()
    assert "many tables" not in mix.clients()
