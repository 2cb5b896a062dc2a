# SPDX-License-Identifier: Apache-2.0
"""A light load of QUORUM reads and writes of which every operation is recorded."""

import random
import threading
import time
from collections.abc import Callable

from cassandra.cluster import Session
from histories import READ, WRITE, Operation

from isotherm_lab.cluster.client import connected

KEYS = 40
_WRITERS = 4
_READERS = 4
_PAUSE_S = 0.02
TABLE = "lab.registers"


class RegisterLoad:
    """Writers, each with keys of its own, and readers of all keys; runs while in a `with`."""

    def __init__(self, contact_points: list[str], seed: int):
        self._contact_points = contact_points
        self._seed = seed
        self._stopping = threading.Event()
        self._history: list[Operation] = []
        self._failed: list[BaseException] = []

    def history(self) -> list[Operation]:
        """Return what has ended so far."""
        return list(self._history)

    def __enter__(self) -> "RegisterLoad":
        self._connection = connected(self._contact_points, "QUORUM", timeout_s=15)
        session = self._connection.__enter__()
        self._write = session.prepare(f"INSERT INTO {TABLE} (key, value) VALUES (?, ?)")
        self._read = session.prepare(f"SELECT value FROM {TABLE} WHERE key = ?")
        # Sent again to another coordinator when the first one dies: with the same value and the same timestamp.
        self._write.is_idempotent = self._read.is_idempotent = True
        bodies = [self._writer(session, number) for number in range(_WRITERS)]
        bodies += [self._reader(session, random.Random(self._seed + number)) for number in range(_READERS)]
        self._threads = [threading.Thread(target=self._run, args=(body,), daemon=True) for body in bodies]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(30)
        self._connection.__exit__(None, None, None)
        assert not self._failed, self._failed

    def _run(self, body: Callable[[], None]) -> None:
        try:
            while not self._stopping.wait(_PAUSE_S):
                body()
        except BaseException as error:
            self._failed.append(error)

    def _writer(self, session: Session, number: int) -> Callable[[], None]:
        own = range(number, KEYS, _WRITERS)
        turns = 0

        def write() -> None:
            nonlocal turns
            key, value = own[turns % len(own)], turns // len(own) + 1
            turns += 1
            self._record(WRITE, key, value, lambda: session.execute_async(self._write, (key, value)))

        return write

    def _reader(self, session: Session, source: random.Random) -> Callable[[], None]:
        def read() -> None:
            key = source.randrange(KEYS)
            self._record(READ, key, 0, lambda: session.execute_async(self._read, (key,)))

        return read

    def _record(self, kind: str, key: int, value: int, send: Callable) -> None:
        began = time.monotonic()
        error, coordinator = "", ""
        try:
            future = send()
            rows = future.result()
            coordinator = str(future.coordinator_host and future.coordinator_host.address)
            if kind == READ:
                row = rows.one()
                value = row.value if row else 0
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}"[:300]
        self._history.append(Operation(kind, key, value, began, time.monotonic(), coordinator, error))
