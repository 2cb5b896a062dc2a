# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterator
from itertools import count, cycle, islice

import pytest
from fake_node import FakeNode

from isotherm_lab.errors import LabError
from isotherm_lab.load.cql_connection import CqlConnection, Prepared
from isotherm_lab.load.pipeline import KeyedRequests, Pipeline, key_bytes


@pytest.fixture
def node() -> Iterator[FakeNode]:
    node = FakeNode(lambda key: b"no" if key == 3 else b"")
    yield node
    node.close()


def answered(pipeline: Pipeline, requests: int) -> list[tuple[int, float, bytes]]:
    found = []
    while len(found) < requests:
        found += pipeline.receive()
    return found


def test_each_answer_comes_with_its_stream_and_when_it_was_sent(node: FakeNode):
    pipeline = Pipeline.of_statement("127.0.0.1", "SELECT", "QUORUM", 4, [1, 2, 3], node.port)
    pipeline.send([0, 1], now=10.0)
    pipeline.send([3, 2], now=11.0)
    assert pipeline.unanswered == 4
    assert sorted(answered(pipeline, 4)) == [(0, 10.0, b""), (1, 10.0, b""), (2, 11.0, b""), (3, 11.0, b"no")]
    assert pipeline.unanswered == 0
    # In order, over and over.
    assert node.keys == [1, 2, 3, 1]
    pipeline.connection.close()


def test_what_is_not_answered_is_known_by_when_it_was_sent(node: FakeNode):
    pipeline = Pipeline.of_statement("127.0.0.1", "SELECT", "QUORUM", 4, [1, 2, 3], node.port)
    pipeline.send([2], now=10.0)
    assert pipeline.waiting_since() == [10.0]
    answered(pipeline, 1)
    assert pipeline.waiting_since() == []
    pipeline.connection.close()


def test_what_is_sent_may_change_and_keys_go_on(node: FakeNode):
    connection = CqlConnection("127.0.0.1", node.port)
    pipeline, keys = Pipeline(connection, 2), cycle(key_bytes([5, 6, -7]))
    for statement in ("SELECT one", "SELECT another"):
        pipeline.requests = KeyedRequests(connection.prepare(statement, "ONE"), 2, keys)
        pipeline.send([0, 1], now=0.0)
        answered(pipeline, 2)
    assert node.keys == [5, 6, -7, 5]
    connection.close()


def test_a_connection_that_ends_under_load_is_reported(node: FakeNode):
    pipeline = Pipeline.of_statement("127.0.0.1", "SELECT", "QUORUM", 1, [1], node.port)
    pipeline.connection.socket.shutdown(2)
    with pytest.raises(LabError, match=r"127\.0\.0\.1 closed the connection under load"):
        pipeline.receive()
    pipeline.connection.close()


def test_keys_are_written_as_bigints_whatever_makes_them():
    assert list(islice(key_bytes(count(2**40)), 2)) == [(2**40).to_bytes(8, "big"), (2**40 + 1).to_bytes(8, "big")]
    requests = KeyedRequests(Prepared(b"0123456789abcdef", 4), 2, key_bytes([-1]))
    assert requests.next(1).endswith(b"\xff" * 8)
