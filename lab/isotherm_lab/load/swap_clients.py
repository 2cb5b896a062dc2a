# SPDX-License-Identifier: Apache-2.0
"""Clients that contend for registers with lightweight transactions: each reads one, and swaps what it has read."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from cassandra import ConsistencyLevel
from cassandra.cluster import Session
from cassandra.policies import FallthroughRetryPolicy

from isotherm_lab.load.recorded_load import History, coordinator
from isotherm_lab.measure.histories import READ, SWAP

#: So many that two clients seldom contend: Cassandra gives up on some transactions that do (CAS_WRITE_UNKNOWN), and
#: chance alone would decide under which variant more of them fail.
KEYS = 100
TABLE = "lab.swaps"
_CLIENTS = 4
#: Nobody ever writes it: no history is linearizable in which a register that was written is not there.
_ABSENT = -1


class SwapClients:
    """No value is swapped in twice. The registers are there, with 0, before they begin."""

    def __init__(self, seed: int, first_key: int = 0):
        self.history = History()
        self._seed = seed
        self._keys = range(first_key, first_key + KEYS)

    def bodies(self, session: Session) -> list[Callable[[], object]]:
        """Write the registers and return what the clients do."""
        begin = session.prepare(f"INSERT INTO {TABLE} (key, value) VALUES (?, 0) IF NOT EXISTS")
        for key in self._keys:
            session.execute(begin, (key,))
        self._read = session.prepare(f"SELECT value FROM {TABLE} WHERE key = ?")
        self._read.consistency_level = ConsistencyLevel.SERIAL
        self._swap = session.prepare(f"UPDATE {TABLE} SET value = ? WHERE key = ? IF value = ?")
        # A second attempt does not find what the first one has swapped out.
        self._swap.retry_policy = FallthroughRetryPolicy()
        return [self._client(session, number) for number in range(_CLIENTS)]

    def _client(self, session: Session, number: int) -> Callable[[], object]:
        source = random.Random(self._seed + number)
        turns = 0

        def turn() -> None:
            nonlocal turns
            turns += 1
            key, value = source.choice(self._keys), turns * _CLIENTS + number

            def read() -> Mapping[str, Any]:
                future = session.execute_async(self._read, (key,))
                row = future.result().one()
                return {"value": row.value if row else _ABSENT, "coordinator": coordinator(future)}

            seen = self.history.attempt(READ, key, 0, read)

            def swap() -> Mapping[str, Any]:
                future = session.execute_async(self._swap, (value, key, seen.value))
                return {"applied": future.result().was_applied, "coordinator": coordinator(future)}

            if seen.succeeded:
                self.history.attempt(SWAP, key, value, swap, expected=seen.value)

        return turn
