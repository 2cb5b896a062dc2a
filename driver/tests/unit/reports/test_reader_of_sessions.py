# SPDX-License-Identifier: Apache-2.0
"""The reader with the drivers' own clusters and sessions: whatever rows an application has, its reports are read."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from cassandra import ConsistencyLevel
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, Session
from cassandra.query import dict_factory, named_tuple_factory, ordered_dict_factory, tuple_factory
from stub_nodes import FIRST, PORT

from isotherm_driver import rows
from isotherm_driver.node_reports import NodeReports, ReportReader
from isotherm_driver.policies import DCAwareRoundRobinPolicy, TokenAwarePolicy
from isotherm_driver.queue_aware import QueueAwarePolicy


class Thing:
    """A row of an application that makes its own objects."""

    def __init__(self, **columns: Any):
        self.__dict__.update(columns)


def things(columns: list[str], values: list[tuple]) -> list[Thing]:
    return [Thing(**dict(zip(columns, each, strict=True))) for each in values]


def no_rows(columns: list[str], values: list[tuple]) -> str:
    """As those factories that make one object of all rows."""
    return " ".join(columns)


OF_ROWS = [named_tuple_factory, rows.named_tuple_factory, tuple_factory, dict_factory, ordered_dict_factory, things]

pytestmark = pytest.mark.usefixtures("nodes")


def profile(**settings: Any) -> ExecutionProfile:
    return ExecutionProfile(TokenAwarePolicy(DCAwareRoundRobinPolicy("dc1")), **settings)


@contextmanager
def session_of(profiles: dict[Any, ExecutionProfile] | None = None, **settings: Any) -> Iterator[Session]:
    with Cluster(
        [FIRST], port=PORT, protocol_version=4, execution_profiles=profiles,
        connect_timeout=30, control_connection_timeout=30, **settings,
    ) as cluster:  # fmt: skip
        yield cluster.connect(wait_for_all_pools=True)


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name.startswith("isotherm_driver")]


def read_by(session: Session, caplog: pytest.LogCaptureFixture) -> NodeReports:
    """Have a reader read once, and look at what it has read; it has nothing to complain of."""
    hosts = sorted(session.cluster.metadata.all_hosts(), key=lambda host: host.address)
    reports = NodeReports()
    reports.miss_ratios("shop", "orders", hosts)
    with caplog.at_level(logging.WARNING, "isotherm_driver"):
        assert ReportReader(session, reports).read()
    assert complaints(caplog) == []
    assert [reports.depth_of(host) for host in hosts] == [10, 20, 30]
    assert reports.miss_ratios("shop", "orders", hosts) == pytest.approx([0.9, 0.8, 0.7])
    assert (reports.miss_floor, reports.warm_read_us) == (0.2, 2000)
    return reports


@pytest.mark.parametrize("factory", [*OF_ROWS, no_rows])
def test_a_default_profile_with_any_rows(factory: Any, caplog: pytest.LogCaptureFixture) -> None:
    with session_of({EXEC_PROFILE_DEFAULT: profile(row_factory=factory)}) as session:
        read_by(session, caplog)


@pytest.mark.parametrize("factory", OF_ROWS)
def test_legacy_parameters_with_rows_of_any_kind(factory: Any, caplog: pytest.LogCaptureFixture) -> None:
    with session_of(load_balancing_policy=TokenAwarePolicy(DCAwareRoundRobinPolicy("dc1"))) as session:
        session.row_factory = factory
        read_by(session, caplog)


def test_a_session_that_gets_a_legacy_parameter_between_two_reads(caplog: pytest.LogCaptureFixture) -> None:
    with session_of() as session:
        reports = NodeReports()
        reader = ReportReader(session, reports)
        with caplog.at_level(logging.WARNING, "isotherm_driver"):
            reader.read()
            session.row_factory = dict_factory
            reports.depths([])
            reader.read()
        assert complaints(caplog) == []
        assert {reports.depth_of(host) for host in session.cluster.metadata.all_hosts()} == {10, 20, 30}


def test_it_has_one_profile_with_the_policy_and_the_level_of_the_applications(monkeypatch: pytest.MonkeyPatch) -> None:
    own = profile(consistency_level=ConsistencyLevel.QUORUM, request_timeout=None)
    asked, clones = [], []
    with session_of({EXEC_PROFILE_DEFAULT: own}) as session:
        clone = session.execution_profile_clone_update

        def cloned(*arguments: Any, **changes: Any) -> ExecutionProfile:
            clones.append(clone(*arguments, **changes))
            return clones[-1]

        monkeypatch.setattr(session, "execution_profile_clone_update", cloned)
        session.add_request_init_listener(asked.append)
        reader = ReportReader(session, NodeReports())
        for _ in range(3):
            assert reader.read()
    assert len(asked) == 3
    assert len(clones) == 1
    assert clones[0].load_balancing_policy is own.load_balancing_policy
    assert clones[0].consistency_level == ConsistencyLevel.QUORUM
    assert clones[0].request_timeout == 3
    assert own.request_timeout is None and own.row_factory is named_tuple_factory


def test_an_application_that_only_writes_at_any_reads_reports(caplog: pytest.LogCaptureFixture) -> None:
    sent = []
    with session_of({EXEC_PROFILE_DEFAULT: profile(consistency_level=ConsistencyLevel.ANY)}) as session:
        session.add_request_init_listener(lambda future: sent.append(future.message.consistency_level))
        read_by(session, caplog)
    assert set(sent) == {ConsistencyLevel.LOCAL_ONE}


def test_a_cluster_that_shuts_down_meanwhile_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    with session_of() as session:
        reader = ReportReader(session, NodeReports())
        # As between the look whether the session is shut down and the question.
        session.add_request_init_listener(lambda future: session.cluster.shutdown())
        with caplog.at_level(logging.WARNING, "isotherm_driver"):
            reader.read()
            assert reader.read() is False
    assert complaints(caplog) == []


def test_a_reader_stops_at_once_when_a_shutdown_has_left_its_question_without_an_answer() -> None:
    asking, answered = threading.Event(), threading.Event()
    with session_of() as session:

        def asked(future: Any) -> None:
            asking.set()
            answered.wait(60)  # as for the time-out of a request that nobody answers any more

        session.add_request_init_listener(asked)
        reader = ReportReader(session, NodeReports()).start()
        assert asking.wait(20)
        session.cluster.shutdown()
        stopping = threading.Thread(target=reader.stop, daemon=True)
        stopping.start()
        stopping.join(20)
        stopped = not stopping.is_alive()
        answered.set()
    assert stopped


def test_one_policy_in_two_profiles_is_told_everything_twice() -> None:
    policy = QueueAwarePolicy(DCAwareRoundRobinPolicy("dc1"))
    with session_of({EXEC_PROFILE_DEFAULT: ExecutionProfile(policy), "other": ExecutionProfile(policy)}) as session:
        for name in (EXEC_PROFILE_DEFAULT, "other"):
            future = session.execute_async("SELECT key FROM system.local", execution_profile=name)
            assert len(future.result().all()) == 1
        assert len(list(policy.make_query_plan())) == len(set(policy.make_query_plan())) == 3
        assert policy.failures == 0
