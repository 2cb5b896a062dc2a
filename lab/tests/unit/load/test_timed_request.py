# SPDX-License-Identifier: Apache-2.0
"""What an open loop knows of a request: which node it counts for, and whether its outcome has been told."""

from types import SimpleNamespace

from isotherm_lab.load.timed_request import TimedRequest, coordinator


def asked(first: list[str], answered: str | None) -> SimpleNamespace:
    """What the loop looks at of a driver's future."""
    hosts = [SimpleNamespace(address=address) for address in first]
    return SimpleNamespace(attempted_hosts=hosts, coordinator_host=answered and SimpleNamespace(address=answered))


class Future:
    """What a request has of a driver's future that is done."""

    attempted_hosts = ()
    coordinator_host = SimpleNamespace(address="127.0.0.2")
    _timer = object()


def test_a_request_counts_for_the_node_that_was_asked_first():
    assert coordinator(asked(["127.0.0.3", "127.0.0.1"], "127.0.0.1")) == 3


def test_an_answer_that_comes_before_the_driver_has_noted_whom_it_asked_counts_for_who_answers():
    assert coordinator(asked([], "127.0.0.2")) == 2


def test_a_request_that_reached_nobody_counts_for_no_node():
    assert coordinator(asked([], None)) == 0
    assert coordinator(None) == 0


def test_a_request_has_one_outcome():
    request = TimedRequest(1.0, None)
    assert request.first_told()
    assert not request.first_told()


def test_a_request_that_is_over_holds_neither_its_future_nor_the_future_its_timer():
    future = Future()
    request = TimedRequest(1.0, future)
    assert request.coordinator() == 2
    request.leave_no_cycle()
    assert future._timer is None
    del future
    assert request.coordinator() == 0
