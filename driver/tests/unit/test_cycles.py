# SPDX-License-Identifier: Apache-2.0
"""What a request of the drivers leaves to Python's garbage collector, as docs/request-cost.md has it."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from cassandra.cluster import Cluster, ExecutionProfile, ResponseFuture, Session
from cassandra.policies import RoundRobinPolicy
from stub_nodes import FIRST, PORT

from isotherm_driver.rows import named_tuple_factory

REQUESTS = 200
#: Objects of what the drivers do beside these requests, a heartbeat for one.
SLACK = 50


@pytest.fixture(scope="module")
def session(nodes: None) -> Iterator[Session]:
    """The driver's own session, but for one profile that has our rows."""
    profiles = {
        "stock": ExecutionProfile(RoundRobinPolicy()),
        "isotherm": ExecutionProfile(RoundRobinPolicy(), row_factory=named_tuple_factory),
    }
    cluster = Cluster(
        [FIRST], port=PORT, protocol_version=4, execution_profiles=profiles,
        connect_timeout=30, control_connection_timeout=30,
    )  # fmt: skip
    with cluster:
        yield cluster.connect()


def nothing_more(_future: ResponseFuture) -> None:
    """Do what an application does with a request that is over."""


def let_go_of_the_timer(future: ResponseFuture) -> None:
    """Do what `_cancel_timer` of the driver could do."""
    future._timer = None


def left(session: Session, profile: str, over: Callable[[ResponseFuture], None]) -> Counter[str]:
    """Execute requests one after the other; return the objects by their type that only the collector frees."""
    from answers import SELECT  # Of the stub, which is importable as long as it runs.

    prepared = session.prepare(SELECT)

    def request(key: int) -> None:
        future = session.execute_async(prepared, (key,), execution_profile=profile)
        future.result()
        over(future)

    request(0)
    gc.collect()
    gc.disable()
    try:
        # The event loop's thread may not have let go of the last one.
        for key in range(REQUESTS + 1):
            request(key)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        return Counter(type(each).__name__ for each in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_a_request_leaves_the_class_of_its_rows_and_its_future_with_the_timer(session: Session) -> None:
    garbage = left(session, "stock", nothing_more)
    assert garbage["ResponseFuture"] >= REQUESTS
    assert garbage["Timer"] >= REQUESTS
    assert garbage["type"] >= REQUESTS
    assert 45 * REQUESTS < sum(garbage.values()) < 75 * REQUESTS


def test_our_rows_leave_no_class_of_theirs(session: Session) -> None:
    garbage = left(session, "isotherm", nothing_more)
    assert garbage["ResponseFuture"] >= REQUESTS
    assert garbage["Timer"] >= REQUESTS
    assert garbage["type"] == 0
    assert 20 * REQUESTS < sum(garbage.values()) < 40 * REQUESTS


def test_a_future_that_lets_go_of_its_timer_leaves_nothing(session: Session) -> None:
    assert sum(left(session, "isotherm", let_go_of_the_timer).values()) < SLACK
