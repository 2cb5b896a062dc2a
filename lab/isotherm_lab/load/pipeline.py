# SPDX-License-Identifier: Apache-2.0
"""A connection to one node for reads by key, many at a time, which may be refused."""

from collections.abc import Sequence
from itertools import cycle

from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.errors import LabError
from isotherm_lab.load.cql_connection import CqlConnection, outcomes

_RECEIVE_BYTES = 1 << 18


class Lane:
    """Reads of one statement, with one bigint parameter, at one coordinator; keys are taken in order, over and over."""

    def __init__(self, address: str, statement: str, consistency: str, streams: int, keys: Sequence[int]):
        self.connection = CqlConnection(address, CQL_PORT)
        prepared = self.connection.prepare(statement, consistency)
        self._heads = [prepared.head(stream) for stream in range(streams)]
        self._keys = cycle([key.to_bytes(8, "big", signed=True) for key in keys])
        self._sent = [0.0] * streams
        self._rest = b""
        self.unanswered = 0

    def send(self, streams: Sequence[int], now: float) -> None:
        """Send a read on each of these streams, which must be free."""
        for stream in streams:
            self._sent[stream] = now
        self.unanswered += len(streams)
        self.connection.socket.sendall(b"".join(self._heads[stream] + next(self._keys) for stream in streams))

    def receive(self) -> list[tuple[int, float, bytes]]:
        """Return what has come: stream, when the read was sent, and the body of an error or nothing."""
        data = self.connection.socket.recv(_RECEIVE_BYTES)
        if not data:
            raise LabError(f"{self.connection.address} closed the connection under load.")
        data = self._rest + data if self._rest else data
        found, used = outcomes(data)
        self._rest = data[used:]
        self.unanswered -= len(found)
        return [(stream, self._sent[stream], error) for stream, error in found]
