# SPDX-License-Identifier: Apache-2.0
"""The thread that reads reports: what it asks, what it goes on without, and that it ends with its session."""

import gc
import itertools
import logging
import math
import os
import re
import signal
import threading
import time
import weakref
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from topology import grid

from isotherm_driver.node_reports import NodeReports, ReportReader

HOST = grid(1, 1, 1)[0]
TABLES = [("ks", "t"), ("ks", "other")]


def queue_row() -> Any:
    return SimpleNamespace(address=HOST.address, estimate=7)


def heat_row(keyspace: str, table: str, source: str = "cache", **heat: float) -> Any:
    columns = {"hit_ratio": None, "read_time_us": None, "cost_us": None} | (heat or {"hit_ratio": 0.75})
    return SimpleNamespace(keyspace_name=keyspace, table_name=table, replica=HOST.address, source=source, **columns)


class Session:
    """Answers as nodes with the plugin do, but for the views that are missing."""

    is_shutdown = False

    def __init__(self, *missing: str):
        self.missing = missing
        self.asked: list[tuple[str, Any]] = []
        self.reads = 0
        self.settings: list[Any] = []

    def execute(self, query: str, parameters: Any = None) -> list[Any]:
        self.asked.append((query, parameters))
        view = query.partition(" FROM isotherm.")[2].split()[0]
        if view in self.missing:
            raise LookupError(f"table {view} does not exist")
        if view == "queues":
            self.reads += 1
            return [queue_row()]
        return [heat_row(*parameters)] if view == "heat" else self.settings


def used(*tables: tuple[str, str]) -> NodeReports:
    """Return reports whose heat of these tables a plan has asked for."""
    reports = NodeReports()
    for table in tables:
        reports.miss_ratios(*table, [HOST])
    return reports


def eventually(holds: Callable[[], Any]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        gc.collect()
        time.sleep(0.01)
    return bool(holds())


def readers() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "isotherm-reports"]


def test_it_turns_rows_into_reports() -> None:
    reports = used(("ks", "t"))
    assert ReportReader(Session(), reports).read() is True
    assert reports.depth_of(HOST) == 7
    assert reports.miss_ratios("ks", "t", [HOST]) == [0.25]


@pytest.mark.parametrize("source", ["read_time", "disk"])
def test_each_source_has_its_column(source: str) -> None:
    heat = {{"read_time": "read_time_us", "disk": "cost_us"}[source]: 900.0}
    session, reports = Session(), used(("ks", "t"))
    session.execute = lambda query, parameters=None: (
        [heat_row(*parameters, source, **heat)] if parameters else [queue_row()]
    )
    ReportReader(session, reports).read()
    assert reports.miss_ratios("ks", "t", [HOST]) == [1.0]


def setting(name: str, value: str | None) -> Any:
    return SimpleNamespace(name=name, value=value)


@pytest.mark.parametrize(
    ("warm_read", "us"), [("500us", 500), ("2ms", 2000), (" 1 s ", 1e6), ("1m", 6e7)], ids=lambda each: str(each)
)
def test_shares_follow_the_settings_of_the_nodes(warm_read: str, us: float) -> None:
    session, reports = Session(), used(("ks", "t"))
    session.settings = [setting("heat.warm_read", warm_read), setting("heat.miss_floor", "0.25")]
    ReportReader(session, reports).read()
    assert (reports.miss_floor, reports.warm_read_us) == (0.25, us)


@pytest.mark.parametrize(
    "settings",
    [
        [],
        [("heat.miss_floor", None), ("heat.warm_read", None)],
        [("heat.miss_floor", "2")],
        [("heat.miss_floor", "nan")],
        [("heat.miss_floor", "much")],
        [("heat.miss_floor", "0.25"), ("heat.warm_read", "500")],
    ],
)
def test_settings_that_a_node_lacks_or_nobody_can_read_change_nothing(settings: list[tuple]) -> None:
    session, reports = Session(), used(("ks", "t"))
    reports.reckon_with(0.1, 700)
    session.settings = [setting(*each) for each in settings]
    ReportReader(session, reports).read()
    assert (reports.miss_floor, reports.warm_read_us) == (0.1, 700)
    assert reports.miss_ratios("ks", "t", [HOST]) == [0.25]


def test_without_permission_for_the_settings_heat_is_read_with_those_of_the_application(caplog: Any) -> None:
    reports = used(("ks", "t"))
    reader = ReportReader(Session("settings"), reports)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            reader.read()
    assert ["isotherm.settings" in message for message in caplog.messages] == [True]
    assert (reports.miss_floor, reports.warm_read_us) == (0.05, 500)
    assert reports.miss_ratios("ks", "t", [HOST]) == [0.25]


def test_it_asks_for_the_heat_of_the_tables_in_use_only() -> None:
    session = Session()
    reader = ReportReader(session, used())
    reader.read()
    assert session.asked == [(ReportReader.QUEUES, None)]
    session.asked.clear()
    ReportReader(session, used(*TABLES)).read()
    assert session.asked[1:] == [(ReportReader.SETTINGS, None), *((ReportReader.HEAT, table) for table in TABLES)]


@pytest.mark.parametrize("missing", ["queues", "heat"])
def test_a_missing_view_leaves_the_other_one_and_one_line(missing: str, caplog: Any) -> None:
    reports = used(("ks", "t"))
    reader = ReportReader(Session(missing), reports)
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            assert reader.read() is True
    assert reports.depth_of(HOST) == (None if missing == "queues" else 7)
    assert reports.miss_ratios("ks", "t", [HOST]) == (None if missing == "heat" else [0.25])
    assert [missing in record.getMessage() for record in caplog.records] == [True]
    assert "takes the plugin on the nodes, and with authorisation SELECT on the view" in caplog.messages[0]


@pytest.mark.parametrize("view", ["queues", "heat"])
@pytest.mark.parametrize(("cycles", "lines"), [("xxx", 1), ("x.xx", 2), ("..x.x.x", 3), ("...", 0)])
def test_a_view_that_fails_again_after_it_has_answered_is_told_of_again(
    view: str, cycles: str, lines: int, caplog: pytest.LogCaptureFixture
) -> None:
    session = Session()
    reader = ReportReader(session, used(("ks", "t"), ("ks", "other")))
    for cycle in cycles:
        session.missing = (view,) if cycle == "x" else ()
        reader.read()
    assert [view in message for message in caplog.messages] == [True] * lines
    none = dict.fromkeys(("isotherm.queues", "isotherm.settings", "isotherm.heat"), 0)
    assert reader.failures == none | {f"isotherm.{view}": cycles.count("x")}


def test_a_view_that_was_not_asked_for_has_not_answered(caplog: pytest.LogCaptureFixture) -> None:
    reports = used(("ks", "t"))
    reader = ReportReader(Session("heat"), reports)
    in_use = reports.tables_in_use()
    reader._reading._reports = asked = Mock(wraps=reports)
    for tables in (in_use, [], in_use):
        asked.tables_in_use.side_effect = [tables]
        reader.read()
    assert len(caplog.messages) == 1
    assert reader.failures["isotherm.heat"] == 2


def test_a_cycle_that_is_cut_short_says_nothing_of_the_views(caplog: pytest.LogCaptureFixture) -> None:
    session = Session("queues", "heat")
    reader = ReportReader(session, used(("ks", "t")))
    reader.read()
    stopped = threading.Event()
    answered = session.execute

    def stopping(query: str, parameters: Any = None) -> list[Any]:
        stopped.set()
        return answered(query, parameters)

    session.execute, session.missing = stopping, ()
    reader._reading.read(stopped)
    session.execute, session.missing = answered, ("queues", "heat")
    reader.read()
    assert len(caplog.messages) == 2
    assert reader.failures == {"isotherm.queues": 2, "isotherm.settings": 0, "isotherm.heat": 2}


@pytest.mark.parametrize("interval", [0, -1, -0.1, None, math.nan, math.inf, 1e300, "2"])
def test_an_interval_at_which_nothing_would_be_read_again_and_again_is_refused(interval: Any) -> None:
    with pytest.raises(ValueError, match=f"^interval is {re.escape(str(interval))}, allowed: above 0, at most [0-9]+$"):
        ReportReader(Session(), NodeReports(), interval=interval)


@pytest.mark.parametrize(
    ("interval", "stale_after", "told"),
    [(9.9, 10, False), (10, 10, True), (Fraction(21, 2), 10, True), (1e6, math.inf, False)],
)
def test_reports_that_are_stale_before_the_next_ones_are_told_of(
    interval: Any, stale_after: float, told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with ReportReader(Session(), NodeReports(stale_after), interval=interval):
        assert len(readers()) == 1
    assert ["stale after 10 s" in message for message in caplog.messages] == [True] * told


@pytest.mark.parametrize("tables", [1, 2, 3, 5])
@pytest.mark.parametrize("silent", [0, 1, 2])
def test_one_silent_node_of_three_takes_away_no_report(tables: int, silent: int) -> None:
    names = [("ks", f"t{number}") for number in range(tables)]
    session, reports = Session(), used(*names)
    answered, turns = session.execute, itertools.count(silent)

    def by_turns(query: str, parameters: Any = None) -> list[Any]:
        if next(turns) % 3 == 0:
            raise TimeoutError("no answer")
        return answered(query, parameters)

    session.execute = by_turns
    reader = ReportReader(session, reports)
    for _ in range(4):
        assert reader.read() is True
        assert reports.depth_of(HOST) == 7
        assert all(reports.miss_ratios(*name, [HOST]) == [0.25] for name in names)
        reports.depths([])
        reports.heats([])
        assert not any(reports.miss_ratios(*name, [HOST]) for name in names)


def test_a_table_that_no_node_tells_of_keeps_none_of_the_others_from_being_read(caplog: Any) -> None:
    session, reports = Session(), used(("ks", "t"), ("ks", "hidden"), ("ks", "u"))
    answered = session.execute

    def but_one(query: str, parameters: Any = None) -> list[Any]:
        if parameters == ("ks", "hidden"):
            raise PermissionError("not this one")
        return answered(query, parameters)

    session.execute = but_one
    with caplog.at_level(logging.WARNING):
        ReportReader(session, reports).read()
    assert [reports.miss_ratios("ks", table, [HOST]) for table in ("t", "hidden", "u")] == [[0.25], None, [0.25]]
    assert ["not this one" in message for message in caplog.messages] == [True]


def test_its_thread_keeps_no_session_alive_and_ends_without_one() -> None:
    session = Session()
    gone, asked = weakref.ref(session), session.asked
    ReportReader(session, NodeReports(), interval=0.01).start()
    assert eventually(lambda: len(asked) > 2)
    del session
    assert eventually(lambda: gone() is None and not readers())


def test_it_goes_on_with_a_session_that_only_the_reader_has() -> None:
    reports = NodeReports()
    reader = ReportReader(Session(), reports, interval=0.01).start()
    assert eventually(lambda: reports.depth_of(HOST) == 7)
    assert len(readers()) == 1
    reader.stop()


def test_it_ends_when_the_session_is_shut_down() -> None:
    session = Session()
    ReportReader(session, NodeReports(), interval=0.01).start()
    assert eventually(lambda: session.reads > 2)
    session.is_shutdown = True
    assert eventually(lambda: not readers())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_it_stops_and_starts_in_a_forked_process_whatever_its_thread_held() -> None:
    session = Session()
    reader = ReportReader(session, NodeReports(), interval=0.01).start()
    assert eventually(lambda: session.reads > 2)
    with reader._stopped._cond:  # as the thread may, at the instant of the fork
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            reads = session.reads
            well = False
            try:
                reader.stop()
                reader.start()
                well = eventually(lambda: session.reads > reads)
                reader.stop()
                well = well and not readers()
            finally:
                os._exit(0 if well else 1)
    _, status = os.waitpid(child, 0)
    reader.stop()
    assert status == 0


def test_it_starts_once_stops_twice_and_starts_again() -> None:
    session = Session()
    reader = ReportReader(session, NodeReports(), interval=0.01)
    reader.stop()
    for _ in range(2):
        assert reader.start() is reader.start()
        assert len(readers()) == 1
        reads = session.reads
        assert eventually(lambda reads=reads: session.reads > reads)
        reader.stop()
        reader.stop()
        assert readers() == []
    with reader:
        assert len(readers()) == 1
    assert readers() == []
