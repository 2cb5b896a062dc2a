# SPDX-License-Identifier: Apache-2.0
"""Many requests under way over one connection to one coordinator."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from typing import Protocol, Self

from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.errors import LabError
from isotherm_lab.load.cql_connection import CqlConnection, Prepared, outcomes

_RECEIVE_BYTES = 1 << 18

#: A finished request: its stream, when it was sent, and the body of an error or nothing.
Answer = tuple[int, float, bytes]


def key_bytes(keys: Iterable[int]) -> Iterator[bytes]:
    """Yield keys as requests carry them."""
    return (int(key).to_bytes(8, "big", signed=True) for key in keys)


class Requests(Protocol):
    """What a pipeline sends."""

    def next(self, stream: int) -> bytes:
        """Return the bytes of the next request, to be answered on this stream."""


class KeyedRequests:
    """Requests of one prepared statement for keys in order."""

    def __init__(self, prepared: Prepared, streams: int, keys: Iterator[bytes]):
        self._heads = [prepared.head(stream) for stream in range(streams)]
        self._keys = keys

    def next(self, stream: int) -> bytes:
        """Return a request for the next key."""
        return self._heads[stream] + next(self._keys)


class Pipeline:
    """A connection with so many streams, on each of which one request may be under way."""

    def __init__(self, connection: CqlConnection, streams: int):
        self.connection = connection
        #: What is sent from now on.
        self.requests: Requests | None = None
        self.streams = streams
        self.unanswered = 0
        #: When the request under way on each stream was sent; None where there is none.
        self._sent: list[float | None] = [None] * streams
        self._rest = b""

    @classmethod
    def of_statement(
        cls, address: str, statement: str, consistency: str, streams: int, keys: Sequence[int], port: int = CQL_PORT
    ) -> Self:
        """Connect for one statement with one bigint parameter, the key; keys are taken in order, over and over."""
        pipeline = cls(CqlConnection(address, port), streams)
        prepared = pipeline.connection.prepare(statement, consistency)
        pipeline.requests = KeyedRequests(prepared, streams, cycle(key_bytes(keys)))
        return pipeline

    def send(self, streams: Sequence[int], now: float) -> None:
        """Send a request on each of these streams, which must be free."""
        for stream in streams:
            self._sent[stream] = now
        self.unanswered += len(streams)
        following = self.requests.next
        self.connection.socket.sendall(b"".join([following(stream) for stream in streams]))

    def receive(self) -> list[Answer]:
        """Return what has come; wait when nothing has."""
        data = self.connection.socket.recv(_RECEIVE_BYTES)
        if not data:
            raise LabError(f"{self.connection.address} closed the connection under load.")
        data = self._rest + data if self._rest else data
        found, used = outcomes(data)
        self._rest = data[used:]
        self.unanswered -= len(found)
        answers = [(stream, self._sent[stream], error) for stream, error in found]
        for stream, _ in found:
            self._sent[stream] = None
        return answers

    def waiting_since(self) -> list[float]:
        """Return when each request that is not answered was sent, by the clock of who sent it (seconds)."""
        return [sent for sent in self._sent if sent is not None]
