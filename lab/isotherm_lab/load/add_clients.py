# SPDX-License-Identifier: Apache-2.0
"""Clients that add one to counters, at QUORUM; none repeats an update of which it does not know what became."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from cassandra.cluster import Session
from cassandra.policies import FallthroughRetryPolicy
from cassandra.query import PreparedStatement

from isotherm_lab.load.recorded_load import History, coordinator
from isotherm_lab.measure.histories import ADD

KEYS = 20
TABLE = "lab.counted"
_CLIENTS = 4


def addition(session: Session, table: str) -> PreparedStatement:
    """Return the update that adds one to a counter, and is never repeated by the driver."""
    update = session.prepare(f"UPDATE {table} SET value = value + 1 WHERE key = ?")
    update.retry_policy = FallthroughRetryPolicy()
    return update


class AddClients:
    """The counters are new, or stand at 0."""

    def __init__(self, seed: int, first_key: int = 0):
        self.history = History()
        self._seed = seed
        self.keys = range(first_key, first_key + KEYS)

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Return what the clients do."""
        update = addition(session, TABLE)

        def client(source: random.Random) -> Callable[[], object]:
            def add() -> None:
                key = source.choice(self.keys)

                def send() -> Mapping[str, Any]:
                    future = session.execute_async(update, (key,))
                    future.result()
                    return {"coordinator": coordinator(future)}

                self.history.attempt(ADD, key, 1, send)

            return add

        return [client(random.Random(self._seed + number)) for number in range(_CLIENTS)]
