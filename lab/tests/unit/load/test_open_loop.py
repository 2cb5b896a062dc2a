# SPDX-License-Identifier: Apache-2.0
"""Which node a request of the open loop is counted for."""

from types import SimpleNamespace

from isotherm_lab.load.open_loop import coordinator


def asked(first: list[str], answered: str | None) -> SimpleNamespace:
    """What the loop looks at of a driver's future."""
    hosts = [SimpleNamespace(address=address) for address in first]
    return SimpleNamespace(attempted_hosts=hosts, coordinator_host=answered and SimpleNamespace(address=answered))


def test_a_request_counts_for_the_node_that_was_asked_first():
    assert coordinator(asked(["127.0.0.3", "127.0.0.1"], "127.0.0.1")) == 3


def test_an_answer_that_comes_before_the_driver_has_noted_whom_it_asked_counts_for_who_answers():
    assert coordinator(asked([], "127.0.0.2")) == 2


def test_a_request_that_reached_nobody_counts_for_no_node():
    assert coordinator(asked([], None)) == 0
    assert coordinator(None) == 0
