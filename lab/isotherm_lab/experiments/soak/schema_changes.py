# SPDX-License-Identifier: Apache-2.0
"""A client that creates, fills, truncates, drops and creates again one table, and looks what is in it at each step."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cassandra.cluster import Session

from isotherm_lab.load.recorded_load import History

TABLE = "lab.churned"
_ROWS = 10
_CREATE = f"CREATE TABLE {TABLE} (key bigint PRIMARY KEY, value bigint)"


class SchemaChanges:
    """Statements are not prepared: what is prepared belongs to a table that is gone."""

    def __init__(self, options: str):
        """`options` of the table: `WITH …`, or nothing."""
        self.history = History()
        #: A sentence for each time that the table held what it must not.
        self.violations: list[str] = []
        self._options = options

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Drop what the clients of an earlier fault have left, and return what does the next step."""
        session.execute(f"DROP TABLE IF EXISTS {TABLE}")
        steps = self._steps(session)
        return [lambda: next(steps)()]

    def _steps(self, session: Session) -> Iterator[Callable[[], None]]:
        """Yield each step, round after round, as what does it."""
        create, drop = f"{_CREATE}{self._options}", f"DROP TABLE {TABLE}"
        while True:
            yield lambda: self._does(session, create)
            yield lambda: self._fills(session)
            yield lambda: self._holds(session, _ROWS, "after it was filled")
            yield lambda: self._does(session, f"TRUNCATE {TABLE}")
            yield lambda: self._holds(session, 0, "after TRUNCATE")
            yield lambda: self._fills(session)
            yield lambda: self._does(session, drop)
            yield lambda: self._does(session, create)
            yield lambda: self._holds(session, 0, "after it was dropped and created again")
            yield lambda: self._does(session, drop)

    def _does(self, session: Session, statement: str) -> None:
        def call() -> Mapping[str, Any]:
            session.execute(statement)
            return {}

        self.history.attempt(statement.partition(" lab")[0].lower(), 0, 0, call)

    def _fills(self, session: Session) -> None:
        for key in range(_ROWS):
            self._does(session, f"INSERT INTO {TABLE} (key, value) VALUES ({key}, {key})")

    def _holds(self, session: Session, rows: int, when: str) -> None:
        def count() -> Mapping[str, Any]:
            return {"value": len(list(session.execute(f"SELECT key FROM {TABLE}")))}

        seen = self.history.attempt("count", 0, 0, count)
        if seen.succeeded and seen.value != rows and not self._failed_lately():
            self.violations.append(f"{TABLE} held {seen.value} rows instead of {rows} {when}")

    def _failed_lately(self) -> bool:
        # What a failed statement has done is not known.
        return any(not each.succeeded for each in self.history.so_far()[-3 * _ROWS :])
