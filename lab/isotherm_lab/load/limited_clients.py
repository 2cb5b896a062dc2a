# SPDX-License-Identifier: Apache-2.0
"""Clients that ask more of a few partitions than their limit admits, at QUORUM: they add one to counters and read them.

An operation that the limit rejects is answered, and not applied: it is no failure, and its update must not be counted.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

from cassandra.cluster import Session
from cassandra.protocol import ConfigurationException

from isotherm_lab.load.add_clients import addition
from isotherm_lab.load.recorded_load import History, coordinator
from isotherm_lab.measure.histories import ADD, READ, Operation

KEYS = 2
TABLE = "lab.scarce"
#: Each client tries some 20 operations a second.
LIMIT = "{'max_reads_per_second': 3, 'max_writes_per_second': 3}"
_CLIENTS = 2


class LimitedClients:
    """The counters are new, or stand at 0."""

    def __init__(self, seed: int, first_key: int = 0):
        self.history = History()
        self._seed = seed
        self.keys = range(first_key, first_key + KEYS)

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Return what the clients do."""
        update = addition(session, TABLE)
        select = session.prepare(f"SELECT value FROM {TABLE} WHERE key = ?")

        def client(source: random.Random) -> Callable[[], object]:
            def ask() -> None:
                key = source.choice(self.keys)
                kind, statement = source.choice(((ADD, update), (READ, select)))

                def send() -> Mapping[str, Any]:
                    future = session.execute_async(statement, (key,))
                    try:
                        future.result()
                    except ConfigurationException:
                        return {"coordinator": coordinator(future), "applied": False}
                    return {"coordinator": coordinator(future)}

                self.history.attempt(kind, key, 1, send)

            return ask

        return [client(random.Random(self._seed + number)) for number in range(_CLIENTS)]

    def let_through(self) -> list[Operation]:
        """Return the operations that no limit rejected."""
        return [each for each in self.history.so_far() if each.applied]

    def rejected(self) -> int:
        """Return how many operations a limit has rejected."""
        return sum(not each.applied for each in self.history.so_far())
