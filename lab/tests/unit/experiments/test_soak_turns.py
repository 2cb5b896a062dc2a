# SPDX-License-Identifier: Apache-2.0
"""All features on and off in turns, without a cluster."""

from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from test_soak import found

from isotherm_lab.experiments.soak import turns
from isotherm_lab.experiments.soak.report import shortcomings
from isotherm_lab.experiments.soak.scenes import MANY_TABLES
from isotherm_lab.progress import Silent


class Clock:
    """Time that passes only while someone sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the nodes are told, in order."""
    told: list[str] = []

    @contextmanager
    def connected(*_: object, **__: object):
        yield SimpleNamespace(execute=told.append)

    monkeypatch.setattr("isotherm_lab.experiments.soak.scenes.connected", connected)
    return told


def run(monkeypatch: pytest.MonkeyPatch, settings: list[str], per_second: dict[bool, float]) -> dict[str, Any]:
    clock = Clock()
    monkeypatch.setattr(turns, "time", clock)
    done = 0.0
    seen = 0.0

    def operations() -> float:
        nonlocal done, seen
        on = settings[-1].split("'")[1] != "false"
        done += (clock.now - seen) * per_second[on]
        seen = clock.now
        return done

    @contextmanager
    def load(_: object):
        yield

    cluster: Any = SimpleNamespace(nodes=[SimpleNamespace(address="a")] * 3)
    parties: Any = SimpleNamespace(load=load, operations=operations)
    return turns.in_turns(cluster, MANY_TABLES, parties, Silent())


def test_the_ratio_is_that_of_the_rates_and_all_is_on_in_the_end(monkeypatch, settings):
    result = run(monkeypatch, settings, {True: 270.0, False: 300.0})
    assert result["per_second"] == {"on": pytest.approx([270] * 12), "off": pytest.approx([300] * 12)}
    assert result["ratio"]["median"] == pytest.approx(0.9)
    assert "0.90 x (0.90 to 0.90)" in turns.sentence(result)
    last = dict(statement.split("'")[1::2][::-1] for statement in settings[-30:])
    assert last["heat.enabled"] == last["guard.enabled"] == "true" and last["limit.fair_share"] == "dry_run"


@pytest.mark.parametrize(("rate", "too_much"), [(200.0, True), (269.0, True), (271.0, False), (330.0, False)])
def test_a_tenth_less_is_too_much(monkeypatch, settings, rate, too_much):
    result = run(monkeypatch, settings, {True: rate, False: 300.0})
    assert turns.too_much(result) == too_much
    assert shortcomings(found(0, 0, in_turns=result)) == (
        [f"killed, isotherm: {turns.sentence(result)}"] if too_much else []
    )
