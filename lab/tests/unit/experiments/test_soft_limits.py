# SPDX-License-Identifier: Apache-2.0
"""The rows of the sweep of soft limits, and the tables of the experiments beside the slow leader."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import pytest
from cassandra import Unavailable
from rich.console import Console
from slow_leader_turns import turn
from terminal import shown

from isotherm_lab.errors import BrokenPromiseError, LabError
from isotherm_lab.experiments import held_up, leader_killed, soft_limits
from isotherm_lab.measure import summary


def test_a_row_has_the_latencies_at_its_slowness_and_what_the_slow_node_led():
    turns = [turn("isotherm", "warm-up", 900.0), turn("isotherm", "3", 5.0), turn("isotherm", "20", 6.0)]
    account = {"acknowledged": 3600, "timed_out": 0, "failed": 0, "counted": 3600}
    row = soft_limits.row(16, 20, turns, account)
    assert (row["soft_limit"], row["slowness"], row["p50_ms"], row["exact"]) == (16, 20, 6, True)
    assert row["slow_leads"] == pytest.approx(0.25)
    assert not soft_limits.row(16, 3, turns, account | {"counted": 3601})["exact"]


def test_the_tables_fit_a_terminal():
    account = {"acknowledged": 3600, "timed_out": 12, "failed": 3, "counted": 3607}
    row = soft_limits.row(16, 20, [turn("isotherm", "20", 6.0)], account)
    lines = shown(soft_limits.table([row]))
    killed = {"cassandra": account | {"exact": True}, "isotherm": account | {"exact": False}}
    lines += shown(leader_killed.table(killed))
    held = dict.fromkeys(held_up.kinds(), held_up.outcomes(succeeded=53, failed=0))
    lines += shown(held_up.table({"cassandra": held, "isotherm": held}))
    assert any("25.0" in line and "20 x" in line for line in lines)
    assert sum(line.rstrip().endswith("NO") for line in lines) == 1


def test_a_latency_that_is_not_known_has_a_dash():
    failing = turn("isotherm", "20", 6.0, timed_out=1200)
    account = {"acknowledged": 0, "timed_out": 1200, "failed": 0, "counted": 3}
    row = soft_limits.row(16, 20, [failing], account)
    assert row["p50_ms"] is None
    assert any(line.split()[:5] == ["16", "20", "x", "-", "-"] for line in shown(soft_limits.table([row])))


def ended_with(counted: int, monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    """Run a sweep whose counters grew by so much for 3,600 acknowledged updates; return what it prints."""
    account = {"acknowledged": 3600, "timed_out": 0, "failed": 0, "counted": counted}
    rows = [soft_limits.row(16, 20, [turn("isotherm", "20", 6.0)], account)]
    monkeypatch.setattr(soft_limits, "run", lambda *_: (rows, {16: account}))
    console = Console(width=100, record=True, file=io.StringIO())
    try:
        soft_limits.run_and_report(soft_limits.planned("16"), folder, console)
    except LabError as error:
        return f"{console.export_text()}{error}"
    return console.export_text()


def test_a_sweep_that_lost_updates_fails_after_it_has_said_and_written_everything(monkeypatch, tmp_path: Path):
    assert "NO" not in ended_with(3600, monkeypatch, tmp_path)
    said = ended_with(3599, monkeypatch, tmp_path)
    assert said.count("NO") == 1 and said.endswith("Updates were lost or counted twice: soft limit 16.")
    assert json.loads((tmp_path / summary.FILE).read_text())["accounts"]["16"]["counted"] == 3599


def test_a_write_that_fails_at_once_is_not_one_that_got_through():
    well, failing = held_up.outcomes(succeeded=53, failed=0), held_up.outcomes(succeeded=10, failed=40)
    assert (well["held"], failing["held"]) == (7, 10)
    kinds = dict.fromkeys(held_up.kinds(), well)
    held_up.refuse_failed({"cassandra": kinds, "isotherm": kinds})
    with pytest.raises(LabError, match="failed meanwhile: isotherm, counter: 40"):
        held_up.refuse_failed({"cassandra": kinds, "isotherm": kinds | {"counter": failing}})


class Started(nullcontext):
    """A cluster that starts."""

    def start(self, told: Callable[[str], None]) -> None:
        told("started")


def held_up_with(counters: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Return what a run says of which so many counter updates were held up with the plugin, and all without it."""
    none, of_stock = held_up.outcomes(succeeded=60, failed=0), held_up.outcomes(succeeded=0, failed=0)
    counts = iter([of_stock, held_up.outcomes(succeeded=60 - counters, failed=0)])
    monkeypatch.setattr(held_up.Cluster, "create", lambda *_, **__: Started())
    monkeypatch.setattr(
        held_up, "measure", lambda _: dict.fromkeys(held_up.kinds(), none) | {held_up.COUNTER: next(counts)}
    )
    console = Console(width=120, record=True, file=io.StringIO())
    try:
        held_up.run_and_report(held_up.planned(), tmp_path, console)
    except BrokenPromiseError as error:
        return f"{console.export_text()}{error}"
    return console.export_text()


def test_no_counter_update_may_be_held_up_with_the_plugin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert "kept" in held_up_with(0, monkeypatch, tmp_path)
    assert "missed" in held_up_with(2, monkeypatch, tmp_path)
    said = held_up_with(3, monkeypatch, tmp_path)
    assert "broken" in said and said.endswith("isotherm, counter: held up: 3, promised at most 0")


class Answering:
    """A driver's session whose writes are answered, fail at once, or are never heard of."""

    def __init__(self, fates: Iterator[str]):
        self._fates = fates
        self.cluster = SimpleNamespace(metadata=SimpleNamespace(get_host=lambda address: address))

    def execute_async(self, _statement: object, host: str) -> SimpleNamespace:
        fate = next(self._fates)

        def add_callbacks(answered, failed) -> None:
            if fate == "answered":
                answered([])
            elif fate == "failed":
                failed(Unavailable("no quorum"))

        return SimpleNamespace(add_callbacks=add_callbacks, result=lambda: None)


def test_what_becomes_of_writes_is_counted_apart(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(held_up, "suspended", lambda node: nullcontext())
    monkeypatch.setattr(held_up.time, "sleep", lambda seconds: None)
    cluster = SimpleNamespace(nodes=[None] * 3, order=lambda *order: None)
    session = Answering(cycle(["answered", "failed", "silent"]))
    found = held_up.count_outcomes(session, cluster, ["127.0.0.1", "127.0.0.2"], lambda number: number)
    assert found == {"succeeded": 20, "failed": 20, "held": 20}


def test_every_kind_of_write_is_made_for_each_number():
    assert len(held_up.kinds()) == 4
    for make in held_up.kinds().values():
        assert make(1) is not make(2)
