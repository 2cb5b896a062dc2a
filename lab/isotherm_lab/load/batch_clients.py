# SPDX-License-Identifier: Apache-2.0
"""Clients that write two partitions in one logged batch, at QUORUM."""

from collections.abc import Callable, Mapping
from typing import Any

from cassandra.cluster import Session
from cassandra.query import BatchStatement

from isotherm_lab.load.recorded_load import History, coordinator
from isotherm_lab.measure.histories import WRITE

KEYS = 20
TABLE = "lab.pairs"
_CLIENTS = 2


class BatchClients:
    """Each key stands for a pair of rows, which has one writer; it writes 1, 2, 3 and so on into both."""

    def __init__(self, first_key: int = 0):
        self.history = History()
        self.keys = range(first_key, first_key + KEYS)

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Return what the clients do."""
        insert = session.prepare(f"INSERT INTO {TABLE} (key, value) VALUES (?, ?)")

        def client(number: int) -> Callable[[], object]:
            own = self.keys[number::_CLIENTS]
            turns = 0

            def write() -> None:
                nonlocal turns
                key, value = own[turns % len(own)], turns // len(own) + 1
                turns += 1
                batch = BatchStatement()
                for row in rows(key):
                    batch.add(insert, (row, value))
                batch.is_idempotent = True

                def send() -> Mapping[str, Any]:
                    future = session.execute_async(batch)
                    future.result()
                    return {"coordinator": coordinator(future)}

                self.history.attempt(WRITE, key, value, send)

            return write

        return [client(number) for number in range(_CLIENTS)]


def rows(key: int) -> tuple[int, int]:
    """Return the partitions of a pair."""
    return 2 * key, 2 * key + 1
