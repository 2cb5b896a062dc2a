# SPDX-License-Identifier: Apache-2.0
"""A light load of which every operation is recorded, with its outcome and when it began and ended."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from cassandra.cluster import ResponseFuture, Session

from isotherm_lab.cluster.client import connected
from isotherm_lab.cluster.configuration import DATACENTER
from isotherm_lab.measure.histories import Operation

PAUSE_S = 0.02
_TIMEOUT_S = 15
_LONGEST_ERROR = 300


class History:
    """The operations of one kind of client, in the order in which they ended; any thread may add to it."""

    def __init__(self) -> None:
        self._operations: list[Operation] = []

    def so_far(self) -> list[Operation]:
        """Return what has ended."""
        return list(self._operations)

    def attempt(
        self, kind: str, key: int, value: int, call: Callable[[], Mapping[str, Any]], expected: int = 0
    ) -> Operation:
        """Record the operation that `call` does; what `call` returns are fields that only the answer tells."""
        began = time.monotonic()
        learned: Mapping[str, Any] = {}
        try:
            learned = call()
        except Exception as failure:
            learned = {"error": f"{type(failure).__name__}: {failure}"[:_LONGEST_ERROR]}
        done = replace(Operation(kind, key, value, began, time.monotonic(), expected=expected), **learned)
        self._operations.append(done)
        return done


class Clients(Protocol):
    """Clients of one kind, each with a thread of its own."""

    history: History

    def bodies(self, session: Session) -> Sequence[Callable[[], object]]:
        """Return what each of them does, again and again."""


def coordinator(future: ResponseFuture) -> str:
    """Return the address of the node that was asked last."""
    return str(future.coordinator_host and future.coordinator_host.address)


class RecordedLoad:
    """Runs the clients while in a `with`."""

    def __init__(
        self,
        contact_points: Sequence[str],
        clients: Sequence[Clients],
        only: bool = False,
        consistency: str = "QUORUM",
        datacenter: str = DATACENTER,
    ):
        """`only`: no node but the contact points coordinates; none of another datacenter does in any case."""
        self._contact_points = list(contact_points)
        self._clients = clients
        self._only = only
        self._consistency = consistency
        self._datacenter = datacenter
        self._stopping = threading.Event()
        self._failed: list[BaseException] = []

    def operations(self) -> int:
        """Return how many have ended."""
        return sum(len(each.history.so_far()) for each in self._clients)

    def __enter__(self) -> "RecordedLoad":
        self._connection = connected(
            self._contact_points, self._consistency, timeout_s=_TIMEOUT_S, only=self._only, datacenter=self._datacenter
        )
        session = self._connection.__enter__()
        try:
            bodies = [body for each in self._clients for body in each.bodies(session)]
        except BaseException:
            self._connection.__exit__(None, None, None)
            raise
        self._threads = [threading.Thread(target=self._run, args=(body,), daemon=True) for body in bodies]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        self._stopping.set()
        # Whoever is interrupted does not wait for answers.
        for thread in self._threads * (failure is None):
            thread.join(2 * _TIMEOUT_S)
        self._connection.__exit__(None, None, None)
        if failure is None and self._failed:
            raise self._failed[0]

    def _run(self, body: Callable[[], object]) -> None:
        try:
            while not self._stopping.wait(PAUSE_S):
                body()
        except BaseException as error:
            self._failed.append(error)
