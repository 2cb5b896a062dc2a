# SPDX-License-Identifier: Apache-2.0
"""Writers, each with keys of its own, and readers of all keys, at QUORUM."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from cassandra.cluster import Session

from isotherm_lab.load.recorded_load import History, coordinator
from isotherm_lab.measure.histories import READ, WRITE

KEYS = 40
TABLE = "lab.registers"
_WRITERS = 4
_READERS = 4
#: How many operations are under way at most: each client has one.
CLIENTS = _WRITERS + _READERS


class RegisterClients:
    """Each key has one writer, which writes 1, 2, 3 and so on."""

    def __init__(self, seed: int, first_key: int = 0):
        self.history = History()
        self._seed = seed
        self._keys = range(first_key, first_key + KEYS)

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Return what writers and readers do."""
        self._write = session.prepare(f"INSERT INTO {TABLE} (key, value) VALUES (?, ?)")
        self._read = session.prepare(f"SELECT value FROM {TABLE} WHERE key = ?")
        # Sent again to another coordinator when the first one dies: with the same value and the same timestamp.
        self._write.is_idempotent = self._read.is_idempotent = True
        writers = [self._writer(session, number) for number in range(_WRITERS)]
        return writers + [self._reader(session, random.Random(self._seed + number)) for number in range(_READERS)]

    def _writer(self, session: Session, number: int) -> Callable[[], object]:
        own = self._keys[number::_WRITERS]
        turns = 0

        def write() -> None:
            nonlocal turns
            key, value = own[turns % len(own)], turns // len(own) + 1
            turns += 1

            def send() -> Mapping[str, Any]:
                future = session.execute_async(self._write, (key, value))
                future.result()
                return {"coordinator": coordinator(future)}

            self.history.attempt(WRITE, key, value, send)

        return write

    def _reader(self, session: Session, source: random.Random) -> Callable[[], object]:
        def read() -> None:
            key = source.choice(self._keys)

            def send() -> Mapping[str, Any]:
                future = session.execute_async(self._read, (key,))
                row = future.result().one()
                return {"value": row.value if row else 0, "coordinator": coordinator(future)}

            self.history.attempt(READ, key, 0, send)

        return read
