# SPDX-License-Identifier: Apache-2.0
"""A client that reads many partitions with one statement (`IN`), at QUORUM."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from cassandra.cluster import Session

from isotherm_lab.load.recorded_load import History

TABLE = "lab.many"
PARTITIONS = 200
#: As much work as hundreds of other operations: the client pauses as many times as long as others do.
_PAUSES = 25


class InClients:
    """Each partition holds its own key for good, so that every answer is known."""

    def __init__(self, first_key: int = 0):
        self.history = History()
        #: A sentence for each answer that is not all of them.
        self.violations: list[str] = []
        self.keys = range(first_key, first_key + PARTITIONS)

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Write the partitions, and return what the client does."""
        insert = session.prepare(f"INSERT INTO {TABLE} (key, value) VALUES (?, ?)")
        select = session.prepare(f"SELECT key, value FROM {TABLE} WHERE key IN ?")
        for key in self.keys:
            session.execute(insert, (key, key))

        turns = count()

        def read() -> None:
            if next(turns) % _PAUSES:
                return

            def rows() -> Mapping[str, Any]:
                found = list(session.execute(select, (list(self.keys),)))
                self.look([(row.key, row.value) for row in found])
                return {"value": len(found)}

            self.history.attempt("in", 0, 0, rows)

        return [read]

    def look(self, rows: list[tuple[int, int]]) -> None:
        """Note what an answer lacks, or has more than once or with another value."""
        if sorted(rows) != [(key, key) for key in self.keys]:
            self.violations.append(f"one SELECT of {PARTITIONS} partitions of {TABLE} returned {len(rows)} rows,"
                                   f" {len(set(rows))} of them different")  # fmt: skip
