# SPDX-License-Identifier: Apache-2.0
"""A bare CQL connection (native protocol, version 4) to one node: the least a client can be.

A driver spends more on a read than a warm node does, and would be what a saturated machine measures. Here a request
is eight bytes of key behind bytes prepared once, and of an answer only the header is looked at.
"""

import socket
import struct
from collections.abc import Mapping

from cassandra import ConsistencyLevel

from isotherm_lab.errors import LabError

_HEADER = struct.Struct(">BBhBI")
_REQUEST = 0x04
_ERROR, _STARTUP, _READY, _QUERY, _PREPARE, _EXECUTE = 0x00, 0x01, 0x02, 0x07, 0x09, 0x0A
#: The protocol's number for a ConfigurationException, which is what a limit's rejection is.
CONFIGURATION_ERROR = 0x2300
_WITH_VALUES, _SKIP_METADATA, _NAMED = 0x01, 0x02, 0x40


class CqlConnection:
    """One connection to one node; requests made here are answered by that node as coordinator."""

    def __init__(self, address: str, port: int, timeout_s: float = 10):
        self.address = address
        self.socket = socket.create_connection((address, port), timeout=timeout_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._ask(_STARTUP, struct.pack(">H", 1) + _string("CQL_VERSION") + _string("3.0.0"))[0] != _READY:
            raise LabError(f"{address} wants more of a client than the lab's bare connection knows (a password?).")

    def query(self, statement: str, named: Mapping[str, bytes] | None = None) -> bytes:
        """Carry out a statement, with values for the names in it; return the body of its result by the protocol."""
        body = struct.pack(">I", len(statement)) + statement.encode()
        body += struct.pack(">HB", ConsistencyLevel.ONE, _WITH_VALUES | _NAMED if named else 0)
        if named:
            body += struct.pack(">H", len(named))
            for name, value in named.items():
                body += _string(name) + struct.pack(">I", len(value)) + value
        return self._ask(_QUERY, body)[1]

    def bigint(self, statement: str) -> int:
        """Return the answer to a query for one bigint of one row."""
        return int.from_bytes(self.query(statement)[-8:], "big", signed=True)

    def prepare(self, statement: str, consistency: str) -> "Prepared":
        """Prepare a statement with one bigint parameter."""
        body = self._ask(_PREPARE, struct.pack(">I", len(statement)) + statement.encode())[1]
        kind, length = struct.unpack_from(">IH", body)
        assert kind == 4, "a prepared statement was asked for"
        return Prepared(body[6 : 6 + length], ConsistencyLevel.name_to_value[consistency])

    def _ask(self, opcode: int, body: bytes) -> tuple[int, bytes]:
        self.socket.sendall(_HEADER.pack(_REQUEST, 0, 0, opcode, len(body)) + body)
        _, _, _, answer, length = _HEADER.unpack(self._receive(_HEADER.size))
        content = self._receive(length)
        if answer == _ERROR:
            raise LabError(f"{self.address} answered: {message(content)}")
        return answer, content

    def _receive(self, length: int) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            part = self.socket.recv(length - len(parts))
            if not part:
                raise LabError(f"{self.address} closed the connection.")
            parts += part
        return bytes(parts)

    def close(self) -> None:
        """Close it."""
        self.socket.close()


class Prepared:
    """The bytes of requests for one prepared statement: `head(stream)` and the eight bytes of the key make one."""

    def __init__(self, identifier: bytes, consistency: int):
        self._body = struct.pack(">H", len(identifier)) + identifier
        self._body += struct.pack(">HBHI", consistency, _WITH_VALUES | _SKIP_METADATA, 1, 8)

    def head(self, stream: int) -> bytes:
        """Return all of a request but the key."""
        return _HEADER.pack(_REQUEST, 0, stream, _EXECUTE, len(self._body) + 8) + self._body


def outcomes(data: bytes) -> tuple[list[tuple[int, bytes]], int]:
    """Return (stream, the body of an error or nothing) of each whole answer in `data`, and their length in bytes."""
    found, at, end = [], 0, len(data)
    while end - at >= _HEADER.size:
        _, _, stream, opcode, length = _HEADER.unpack_from(data, at)
        if end - at < _HEADER.size + length:
            break
        at += _HEADER.size + length
        found.append((stream, data[at - length : at] if opcode == _ERROR else b""))
    return found, at


def code(error: bytes) -> int:
    """Return the number of the protocol for this kind of error."""
    return int.from_bytes(error[:4], "big")


def is_rejection(error: bytes) -> bool:
    """Whether the error says that a limit rejected the request."""
    return code(error) == CONFIGURATION_ERROR


def message(error: bytes) -> str:
    """Return what the body of an error says."""
    _, length = struct.unpack_from(">IH", error)
    return error[6 : 6 + length].decode(errors="replace")


def _string(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()
