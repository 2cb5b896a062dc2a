# SPDX-License-Identifier: Apache-2.0
"""Clients that add to counters at QUORUM through all nodes, and keep account of what they were told."""

import random
import threading
from collections import Counter

from isotherm_lab.cluster.client import connected

KEYS = 200
_CLIENTS = 6
_PAUSE_S = 0.01


class CounterLoad:
    """Runs while in a `with`, until stop(); no update is sent twice, so that an error leaves its fate unknown."""

    def __init__(self, contact_points: list[str], table: str, seed: int):
        self._contact_points = contact_points
        self._table = table
        self._seed = seed
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self.acknowledged = 0
        self.errors: Counter[str] = Counter()

    @property
    def unknown(self) -> int:
        """Updates that ended in an error: each may have been counted."""
        return sum(self.errors.values())

    def stop(self) -> None:
        """Send no more, and wait for the answers due."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(30)
            assert not thread.is_alive(), "an update has no answer"

    def __enter__(self) -> "CounterLoad":
        self._connection = connected(self._contact_points, "QUORUM", timeout_s=15, repeat=False)
        session = self._connection.__enter__()
        update = session.prepare(f"UPDATE {self._table} SET value = value + 1 WHERE key = ?")
        for number in range(_CLIENTS):
            keys = random.Random(self._seed + number)
            self._threads.append(threading.Thread(target=self._run, args=(session, update, keys), daemon=True))
            self._threads[-1].start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._connection.__exit__(None, None, None)

    def _run(self, session, update, keys: random.Random) -> None:
        while not self._stopping.wait(_PAUSE_S):
            try:
                session.execute(update, (keys.randrange(KEYS),))
            except Exception as error:
                with self._lock:
                    self.errors[type(error).__name__] += 1
            else:
                with self._lock:
                    self.acknowledged += 1
