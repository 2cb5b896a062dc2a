# SPDX-License-Identifier: Apache-2.0
"""Reads what nodes that run the Isotherm plugin publish, again and again."""

import logging
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from isotherm_driver.reports.node_reports import NodeReports
from isotherm_driver.reports.node_settings import MISS_FLOOR, WARM_READ, reckoned_with
from isotherm_driver.reports.own_rows import OwnRows, Question, question

log: logging.Logger = logging.getLogger(
    "isotherm_driver.node_reports"
)  # the module from which applications import the reader


def _weakly(session: Any) -> Callable[[], Any]:
    """The session as long as somebody else has it; one that cannot be referred to weakly is kept."""
    try:
        return weakref.ref(session)
    except TypeError:
        return lambda: session


_QUEUES = question("address, estimate", "FROM isotherm.queues")
_HEAT = question(
    "keyspace_name, table_name, replica, source, hit_ratio, read_time_us, cost_us",
    "FROM isotherm.heat WHERE keyspace_name = %s AND table_name = %s",
)
_SETTINGS = question("name, value", f"FROM isotherm.settings WHERE name IN ('{MISS_FLOOR}', '{WARM_READ}')")
#: How long a reader that is stopped waits for its thread before it looks whether the session was shut down meanwhile.
JOIN_SECONDS = 0.1
#: The column that has the heat of a source.
_COLUMNS = {"cache": "hit_ratio", "read_time": "read_time_us", "disk": "cost_us"}
_PLACES = {source: _HEAT.columns.index(column) for source, column in _COLUMNS.items()}


def _heat(row: Sequence[Any]) -> tuple[str, str, str, str, float | None]:
    keyspace, table, replica, source = row[:4]
    return keyspace, table, str(replica), source, row[_PLACES[source]] if source in _PLACES else None


def _is_shut_down(session: Any) -> bool:
    return getattr(session, "is_shutdown", False) is True


class _Reading:
    """What the thread of a reader needs, which is not the reader, nor the session but for as long as it answers."""

    def __init__(self, session: Any, reports: NodeReports):
        self._session = _weakly(session)
        self._reports = reports
        self._rows = OwnRows()
        self._complained: set[str] = set()

    def read(self) -> bool:
        """Ask once; False where there is no session to ask any more."""
        session = self._session()
        if session is None or _is_shut_down(session):
            return False
        self._try(session, "isotherm.queues", self._read_queues)
        tables = self._reports.tables_in_use()
        if tables:
            self._try(session, "isotherm.settings", self._read_settings)
        self._try(session, "isotherm.heat", lambda session: self._read_heat(session, tables))
        return True

    def _try(self, session: Any, view: str, read: Callable[[Any], None]) -> None:
        try:
            read(session)
        except Exception as problem:  # no plugin, no permission, no connection: reports go stale by themselves
            if view not in self._complained and not _is_shut_down(session):
                self._complained.add(view)
                log.warning("Nodes do not publish %s, going on without: %s", view, problem)

    def _answer(self, session: Any, asked: Question, parameters: Sequence[str] | None = None) -> list[Sequence[Any]]:
        try:
            return list(self._rows.rows(session, asked, parameters))
        except Exception:  # one node that is silent or without the plugin: the next question goes to another one
            if _is_shut_down(session):
                raise
            return list(self._rows.rows(session, asked, parameters))

    def _read_queues(self, session: Any) -> None:
        self._reports.depths([(str(address), estimate) for address, estimate in self._answer(session, _QUEUES)])

    def _read_settings(self, session: Any) -> None:
        found = reckoned_with((name, value) for name, value in self._answer(session, _SETTINGS))
        self._reports.reckon_with(**found)

    def _read_heat(self, session: Any, tables: list[tuple[str, str]]) -> None:
        rows: list[tuple[str, str, str, str, float | None]] = []
        unanswered = None
        for table in tables:
            try:
                rows += map(_heat, self._answer(session, _HEAT, table))
            except Exception as problem:
                unanswered = problem
        if rows or unanswered is None:
            self._reports.heats(rows)
        if unanswered is not None:
            raise unanswered

    def run(self, interval: float, stopped: threading.Event) -> None:
        """Ask every `interval` seconds until stopped, or until there is no session to ask."""
        while not stopped.is_set() and self.read():
            stopped.wait(interval)


class ReportReader:
    """Asks a session for the nodes' reports every `interval` seconds, in a thread of its own, until stopped.

    The thread also ends when the session has been shut down, or when nobody has the session or the reader any more.
    What one view does not answer does not keep the others from being read, nor does one table the others; a question
    that a node does not answer is asked once more, of the next one. Heat is asked for by table, and of those
    tables only for which a plan has lately asked; the settings that shares follow from, where there is such a table.
    The rows that the application has from the session may be of any kind.
    """

    QUEUES: str = _QUEUES.text
    HEAT: str = _HEAT.text
    SETTINGS: str = _SETTINGS.text

    def __init__(self, session: Any, reports: NodeReports, interval: float = 2.0):
        self._session = session  # held as long as the reader is, which may be the only one that has it
        self._reading = _Reading(session, reports)
        self._interval = interval
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> "ReportReader":
        """Begin to ask, at once and every `interval` seconds; a reader that asks already goes on."""
        if self._thread is None or not self._thread.is_alive():
            self._stopped = threading.Event()  # a process may have been forked while the thread held the old one's lock
            self._thread = threading.Thread(
                target=self._reading.run, args=(self._interval, self._stopped), name="isotherm-reports", daemon=True
            )
            self._thread.start()
        return self

    def stop(self) -> None:
        """Stop asking; returns when the thread has ended, or will with the last request of a session that shut down."""
        self._stopped.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            # What is under way when a session is shut down gets no answer from the driver, but its time-out.
            while self._thread.is_alive() and not _is_shut_down(self._session):
                self._thread.join(JOIN_SECONDS)

    def read(self) -> bool:
        """Ask once; False where the session has been shut down."""
        return self._reading.read()

    def __enter__(self) -> "ReportReader":
        return self.start()

    def __exit__(self, *problem: object) -> None:
        self.stop()
