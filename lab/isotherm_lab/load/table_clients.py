# SPDX-License-Identifier: Apache-2.0
"""Clients that write a row of one table after the other, and read it again, at QUORUM."""

from collections.abc import Callable, Mapping
from typing import Any

from cassandra.cluster import Session
from cassandra.query import SimpleStatement

from isotherm_lab.load.recorded_load import History, coordinator
from isotherm_lab.measure.histories import READ, WRITE

_CLIENTS = 8


def table(number: int) -> str:
    """Return the name of a table, as the lab's nodes create it."""
    return f"lab.spread_{number}"


class TableClients:
    """Each table has one client, which writes 1, 2, 3 and so on; the keys of the history are the tables.

    Statements are not prepared: to do so at each node would take longer than all the traffic.
    """

    def __init__(self, tables: int, row: int):
        """`row`: the key of all rows; they are new."""
        self.history = History()
        self._tables = range(tables)
        self._row = row

    def untouched(self) -> int:
        """Return how many tables have not been both written and read."""
        done = {(each.kind, each.key) for each in self.history.so_far() if each.succeeded}
        return sum((WRITE, each) not in done or (READ, each) not in done for each in self._tables)

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Return what the clients do."""
        return [
            self._client(session, self._tables[number::_CLIENTS]) for number in range(min(_CLIENTS, len(self._tables)))
        ]

    def _client(self, session: Session, own: range) -> Callable[[], object]:
        turns = 0

        def turn() -> None:
            nonlocal turns
            number, value = own[turns % len(own)], turns // len(own) + 1
            turns += 1
            written = f"INSERT INTO {table(number)} (key, value) VALUES ({self._row}, {value})"
            self._does(session, WRITE, number, value, written)
            self._does(session, READ, number, 0, f"SELECT value FROM {table(number)} WHERE key = {self._row}")

        return turn

    def _does(self, session: Session, kind: str, number: int, value: int, statement: str) -> None:
        def send() -> Mapping[str, Any]:
            future = session.execute_async(SimpleStatement(statement, is_idempotent=True))
            row = future.result().one()
            seen = {"value": row.value if row else 0} if kind == READ else {}
            return {"coordinator": coordinator(future), **seen}

        self.history.attempt(kind, number, value, send)
