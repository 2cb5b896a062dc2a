# SPDX-License-Identifier: Apache-2.0
"""Reads what nodes that run the Isotherm plugin publish, again and again."""

import logging
import threading
import weakref
from collections.abc import Callable
from typing import Any

from isotherm_driver.reports.node_reports import NodeReports

log: logging.Logger = logging.getLogger(
    "isotherm_driver.node_reports"
)  # the module from which applications import the reader


def _weakly(session: Any) -> Callable[[], Any]:
    """The session as long as somebody else has it; one that cannot be referred to weakly is kept."""
    try:
        return weakref.ref(session)
    except TypeError:
        return lambda: session


QUEUES: str = "SELECT address, estimate FROM isotherm.queues"
HEAT: str = (
    "SELECT keyspace_name, table_name, replica, source, hit_ratio, read_time_us, cost_us FROM isotherm.heat"
    " WHERE keyspace_name = %s AND table_name = %s"
)
#: The column that has the heat of a source.
_COLUMNS = {"cache": "hit_ratio", "read_time": "read_time_us", "disk": "cost_us"}


def _heat(row: Any) -> tuple[str, str, str, str, float | None]:
    value = getattr(row, _COLUMNS[row.source]) if row.source in _COLUMNS else None
    return row.keyspace_name, row.table_name, str(row.replica), row.source, value


class _Reading:
    """What the thread of a reader needs, which is not the reader, nor the session but for as long as it answers."""

    def __init__(self, session: Any, reports: NodeReports):
        self._session = _weakly(session)
        self._reports = reports
        self._complained: set[str] = set()

    def read(self) -> bool:
        """Ask once; False where there is no session to ask any more."""
        session = self._session()
        if session is None or getattr(session, "is_shutdown", False) is True:
            return False
        self._try("isotherm.queues", lambda: self._read_queues(session))
        self._try("isotherm.heat", lambda: self._read_heat(session))
        return True

    def _try(self, view: str, read: Callable[[], None]) -> None:
        try:
            read()
        except Exception as problem:  # no plugin, no permission, no connection: reports go stale by themselves
            if view not in self._complained:
                self._complained.add(view)
                log.warning("Nodes do not publish %s, going on without: %s", view, problem)

    def _read_queues(self, session: Any) -> None:
        self._reports.depths([(str(row.address), row.estimate) for row in session.execute(QUEUES)])

    def _read_heat(self, session: Any) -> None:
        rows = [row for table in self._reports.tables_in_use() for row in session.execute(HEAT, table)]
        self._reports.heats(map(_heat, rows))

    def run(self, interval: float, stopped: threading.Event) -> None:
        """Ask every `interval` seconds until stopped, or until there is no session to ask."""
        while not stopped.is_set() and self.read():
            stopped.wait(interval)


class ReportReader:
    """Asks a session for the nodes' reports every `interval` seconds, in a thread of its own, until stopped.

    The thread also ends when the session has been shut down, or when nobody has the session or the reader any more.
    What one view does not answer does not keep the other one from being read. Heat is asked for by table, and of those
    tables only for which a plan has lately asked.
    """

    QUEUES: str = QUEUES
    HEAT: str = HEAT

    def __init__(self, session: Any, reports: NodeReports, interval: float = 2.0):
        self._session = session  # held as long as the reader is, which may be the only one that has it
        self._reading = _Reading(session, reports)
        self._interval = interval
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> "ReportReader":
        """Begin to ask, at once and every `interval` seconds; a reader that asks already goes on."""
        if self._thread is None or not self._thread.is_alive():
            self._stopped.clear()
            self._thread = threading.Thread(
                target=self._reading.run, args=(self._interval, self._stopped), name="isotherm-reports", daemon=True
            )
            self._thread.start()
        return self

    def stop(self) -> None:
        """Stop asking; returns when the thread has ended."""
        self._stopped.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def read(self) -> bool:
        """Ask once; False where the session has been shut down."""
        return self._reading.read()

    def __enter__(self) -> "ReportReader":
        return self.start()

    def __exit__(self, *problem: object) -> None:
        self.stop()
