# SPDX-License-Identifier: Apache-2.0
"""What a node that hangs costs the reader: a time-out or two for all questions of a cycle, and no report."""

import itertools
import time
from types import SimpleNamespace
from typing import Any

import pytest
from cassandra import OperationTimedOut
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import FallthroughRetryPolicy
from stub_nodes import FIRST, PORT
from topology import grid, host

from isotherm_driver.node_reports import NodeReports, ReportReader
from isotherm_driver.policies import DCAwareRoundRobinPolicy, TokenAwarePolicy
from isotherm_driver.reports.cycle import MOST_UNDER_WAY

NODES = grid(1, 1, 3)
TIME_OUT = 3.0
#: Of a drivers' session: the cycle takes one or two of it, and ten would take it without, also on a slow machine.
PATIENCE_S = 5.0


class Answer:
    """As the drivers' ResponseFuture, in a time of its own."""

    def __init__(self, session: "Session", query: str, parameters: Any, host: Any):
        self._session, self._query, self._parameters, self._host = session, query, parameters, host
        self._due = session.now + (TIME_OUT if host in session.hanging else 0)
        self.coordinator_host = None
        session.under_way += 1
        session.most_under_way = max(session.most_under_way, session.under_way)

    def result(self) -> Any:
        session = self._session
        session.under_way -= 1
        session.now = max(session.now, self._due)
        if self._host in session.hanging:
            raise OperationTimedOut(last_host=self._host)
        self.coordinator_host = self._host
        if self._parameters and self._host is session.without_heat:
            raise LookupError("no such column")
        session.answered(self._host)
        if self._parameters is None:
            return [(each.address, 7) for each in NODES] if "queues" in self._query else []
        return iter([(*self._parameters, each.address, "cache", 0.75, None, None) for each in NODES])


class Session:
    """Asks three nodes in turn, some of which hang."""

    is_shutdown = False
    without_heat = None

    def __init__(self, *hanging: Any, first: int = 0):
        self.hanging = list(hanging)
        self.now = 0.0
        self.under_way = self.most_under_way = 0
        self.depths_at: list[float] = []
        self._turns = itertools.cycle([*NODES[first:], *NODES[:first]])

    def execute_async(self, query: Any, parameters: Any = None, host: Any = None) -> Answer:
        # The drivers send what is for one host again and again, as long as the retry policy says so.
        assert host is None or isinstance(query.retry_policy, FallthroughRetryPolicy)
        return Answer(self, getattr(query, "query_string", query), parameters, host or next(self._turns))

    def answered(self, host: Any) -> None:
        """Nothing happens in between."""


def used(tables: int) -> NodeReports:
    """Return reports whose heat of that many tables a plan has asked for."""
    reports = NodeReports()
    for number in range(tables):
        reports.miss_ratios("ks", f"t{number}", NODES)
    return reports


def assert_told(reports: NodeReports, tables: int) -> None:
    assert [reports.depth_of(each) for each in NODES] == [7, 7, 7]
    for number in range(tables):
        assert reports.miss_ratios("ks", f"t{number}", NODES) == [0.25] * 3


@pytest.mark.parametrize("tables", [0, 1, 8, 300])
@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("hanging", [NODES[:1], NODES[:2]], ids=["one hangs", "two hang"])
def test_a_cycle_takes_two_time_outs_at_most_however_many_tables(hanging: list, first: int, tables: int) -> None:
    session, reports = Session(*hanging, first=first), used(tables)
    assert ReportReader(session, reports).read() is True
    assert session.now <= 2 * TIME_OUT
    if tables or len(hanging) == 1:
        assert_told(reports, tables)


def test_no_more_than_the_bound_are_under_way() -> None:
    for hanging in ([], NODES[:1]):
        session = Session(*hanging)
        ReportReader(session, used(300)).read()
        assert session.most_under_way == MOST_UNDER_WAY
        assert session.under_way == 0


def test_depths_are_told_before_heat_is_awaited() -> None:
    session, reports = Session(), used(8)
    told: list[Any] = []
    session.answered = lambda host: told.append(reports.depth_of(NODES[0]))  # type: ignore[method-assign]
    ReportReader(session, reports).read()
    assert told == [None, *[7] * 9]


def test_a_node_that_begins_to_hang_after_an_answer_is_not_asked_again() -> None:
    session, reports = Session(), used(8)
    session.answered = lambda host: session.hanging or session.hanging.append(host)  # type: ignore[method-assign]
    ReportReader(session, reports).read()
    assert session.now <= 2 * TIME_OUT
    assert_told(reports, 8)


@pytest.mark.parametrize("refusing", NODES)
def test_a_node_that_answers_all_but_heat_is_not_asked_for_the_same_heat_again(refusing: Any) -> None:
    session, reports = Session(), used(8)
    session.without_heat = refusing
    ReportReader(session, reports).read()
    assert_told(reports, 8)


def run(reader: ReportReader) -> None:
    """Have the reader ask in its thread, until something there stops it."""
    reader.start()
    assert reader._thread is not None
    reader._thread.join(10)
    assert not reader._thread.is_alive()


@pytest.mark.parametrize("tables", [0, 1, 31, 300])
def test_a_reader_that_is_stopped_while_all_nodes_hang_waits_for_one_time_out(tables: int) -> None:
    session, reports = Session(*NODES), used(tables)
    reader = ReportReader(session, reports, interval=0.01)
    sent = session.execute_async
    session.execute_async = lambda *asked, **settings: reader.stop() or sent(*asked, **settings)  # type: ignore
    run(reader)
    assert session.now == TIME_OUT
    assert session.under_way == 0


def test_a_reader_that_is_stopped_asks_a_session_that_can_only_wait_nothing_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked: list[str] = []

    def execute(query: str, parameters: Any = None) -> Any:
        asked.append(query)
        reader.stop()
        raise OperationTimedOut

    reader = ReportReader(SimpleNamespace(execute=execute), used(8), interval=0.01)
    run(reader)
    assert len(asked) == 1
    assert caplog.messages == []


def test_a_reader_that_is_stopped_amid_heats_leaves_those_that_were_told_before() -> None:
    session, reports = Session(), used(40)
    reader = ReportReader(session, reports, interval=0.01)
    reader.read()
    assert_told(reports, 40)
    session.answered = lambda host: reader.stop()  # type: ignore[method-assign]
    run(reader)
    assert_told(reports, 40)


@pytest.mark.usefixtures("nodes")
@pytest.mark.parametrize("hanging", range(3))
def test_one_of_three_nodes_of_a_drivers_session_hangs(hanging: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isotherm_driver.reports.own_rows.REQUEST_SECONDS", PATIENCE_S)
    profile = ExecutionProfile(TokenAwarePolicy(DCAwareRoundRobinPolicy("dc1")))
    with Cluster(
        [FIRST], port=PORT, protocol_version=4, execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        connect_timeout=30, control_connection_timeout=30,
    ) as cluster:  # fmt: skip
        session = cluster.connect(wait_for_all_pools=True)
        hosts = sorted(cluster.metadata.all_hosts(), key=lambda host: host.address)
        for connection in session._pools[hosts[hanging]].get_connections():
            connection.push = lambda data: None  # nothing is sent any more, and so nothing answered
        reports = NodeReports(stale_after=60)
        for number in range(8):
            reports.miss_ratios("shop", f"orders{number}", hosts)
        reports.miss_ratios("shop", "orders", hosts)
        began = time.monotonic()
        assert ReportReader(session, reports).read()
        assert time.monotonic() - began < 3 * PATIENCE_S
        assert [reports.depth_of(host) for host in hosts] == [10, 20, 30]
        assert reports.miss_ratios("shop", "orders", hosts) == pytest.approx([0.9, 0.8, 0.7])
        assert (reports.miss_floor, reports.warm_read_us) == (0.2, 2000)


def test_all_pages_of_an_answer_are_read() -> None:
    session, reports = Session(), used(1)
    asked = session.execute_async

    def paged(query: str, parameters: Any = None) -> Any:
        answer = asked(query, parameters)
        return SimpleNamespace(result=lambda: itertools.chain(answer.result(), [("10.0.0.9", 9)] * (not parameters)))

    session.execute_async = paged  # type: ignore[method-assign, assignment]
    ReportReader(session, reports).read()
    assert_told(reports, 1)
    assert reports.depth_of(host(9)) == 9
