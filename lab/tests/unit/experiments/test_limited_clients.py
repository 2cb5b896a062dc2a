# SPDX-License-Identifier: Apache-2.0
"""What the clients of limited counters make of an answer, without a cluster."""

from collections.abc import Iterator
from itertools import cycle
from types import SimpleNamespace

import pytest
from cassandra import OperationTimedOut
from cassandra.protocol import ConfigurationException

from isotherm_lab.experiments.soak import audit
from isotherm_lab.load.limited_clients import LimitedClients
from isotherm_lab.measure.histories import ADD, READ
from isotherm_lab.measure.history_account import miscounted


class Answers:
    """A session whose answers are given: None, or an error."""

    def __init__(self, given: Iterator[Exception | None]):
        self._given = given

    def prepare(self, query: str) -> SimpleNamespace:
        return SimpleNamespace(query=query)

    def execute_async(self, *_: object) -> SimpleNamespace:
        def result() -> None:
            if failure := next(self._given):
                raise failure

        return SimpleNamespace(result=result, coordinator_host=None)


def asked(operations: int, *answers: Exception | None) -> LimitedClients:
    clients = LimitedClients(1, 7000)
    bodies = clients.bodies(Answers(cycle(answers)))  # type: ignore[arg-type]
    for number in range(operations):
        bodies[number % len(bodies)]()
    return clients


def test_they_add_and_read_and_an_answer_is_an_answer():
    clients = asked(100, None)
    assert {each.kind for each in clients.history.so_far()} == {ADD, READ}
    assert {each.key for each in clients.history.so_far()} == set(clients.keys)
    assert clients.rejected() == 0 and clients.let_through() == clients.history.so_far()


def test_the_audit_asks_again_where_the_limit_admits_no_read_yet(monkeypatch: pytest.MonkeyPatch):
    answers = iter([ConfigurationException(0x2300, "limit", None), OperationTimedOut(), 17])
    asked = []

    def execute(_: object, keys: tuple[int]) -> SimpleNamespace:
        asked.append(keys)
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(one=lambda: SimpleNamespace(value=answer))

    monkeypatch.setattr(audit.time, "sleep", lambda _: None)
    session = SimpleNamespace(prepare=lambda query: query, execute=execute)
    assert audit._values(session, "lab.scarce", [7]) == {7: 17}
    assert asked == [(7,)] * 3


def test_what_a_limit_rejects_is_no_failure_and_may_not_be_counted():
    clients = asked(90, None, ConfigurationException(0x2300, "limit", None), OperationTimedOut())
    operations = clients.history.so_far()
    assert clients.rejected() == 30
    assert [each.succeeded for each in operations[:3]] == [True, True, False]
    adds = [each for each in clients.let_through() if each.kind == ADD]
    at_most = {key: sum(each.key == key for each in adds) for key in clients.keys}
    acknowledged = {key: sum(each.key == key and each.succeeded for each in adds) for key in clients.keys}
    assert miscounted(clients.let_through(), at_most) == miscounted(clients.let_through(), acknowledged) == []
    more = {key: count + 1 for key, count in at_most.items()}
    assert len(miscounted(clients.let_through(), more)) == len(clients.keys)
