# SPDX-License-Identifier: Apache-2.0
"""A node that speaks just enough CQL for the lab's bare connections, and answers reads as it is told to."""

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress

_HEADER = struct.Struct(">BBhBI")
_READY, _RESULT, _ERROR = 0x02, 0x08, 0x00
_STARTUP, _PREPARE = 0x01, 0x09
ROWS = struct.pack(">I", 2) + b"the rows"


def error(code: int, text: str) -> bytes:
    """Return the body of an error."""
    return struct.pack(">IH", code, len(text)) + text.encode()


class FakeNode:
    """Listens on a port of its own; `answer(key)` returns the body of an error, or nothing for rows."""

    def __init__(self, answer: Callable[[int], bytes]):
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.keys: list[int] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # A client that is killed resets its connection.
        with suppress(OSError), connection, connection.makefile("rb") as stream:
            while header := stream.read(_HEADER.size):
                _, _, number, opcode, length = _HEADER.unpack(header)
                body = stream.read(length)
                kind, content = self._reply(opcode, body)
                connection.sendall(_HEADER.pack(0x84, 0, number, kind, len(content)) + content)

    def _reply(self, opcode: int, body: bytes) -> tuple[int, bytes]:
        if opcode == _STARTUP:
            return _READY, b""
        if opcode == _PREPARE:
            return _RESULT, struct.pack(">IH", 4, 16) + bytes(16)
        key = int.from_bytes(body[-8:], "big", signed=True)
        self.keys.append(key)
        failure = self._answer(key)
        return (_ERROR, failure) if failure else (_RESULT, ROWS)

    def close(self) -> None:
        """Listen no more.

        Its thread is waited for: closing does not wake it, and when it calls accept() again, as after a SIGCONT, its
        descriptor may be that of the next test's node, whose connection this one would answer.
        """
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
