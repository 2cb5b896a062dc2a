# SPDX-License-Identifier: Apache-2.0
"""Reads what nodes that run the Isotherm plugin publish, again and again."""

import logging
import threading
import weakref
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

from isotherm_driver.reports.cycle import Asked, Cycle, is_shut_down
from isotherm_driver.reports.node_reports import NodeReports
from isotherm_driver.reports.node_settings import MISS_FLOOR, WARM_READ, reckoned_with
from isotherm_driver.reports.own_rows import OwnRows, question

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
#: The views that are asked for.
VIEWS: tuple[str, ...] = ("isotherm.queues", "isotherm.settings", "isotherm.heat")
#: The column that has the heat of a source.
_COLUMNS = {"cache": "hit_ratio", "read_time": "read_time_us", "disk": "cost_us"}
_PLACES = {source: _HEAT.columns.index(column) for source, column in _COLUMNS.items()}


def _heat(row: Sequence[Any]) -> tuple[str, str, str, str, float | None]:
    keyspace, table, replica, source = row[:4]
    return keyspace, table, str(replica), source, row[_PLACES[source]] if source in _PLACES else None


def _seconds(interval: Any) -> float:
    """The interval, if a thread can wait as long: for more than TIMEOUT_MAX it throws."""
    seconds = float(interval) if isinstance(interval, Real) else 0.0
    if not 0 < seconds <= threading.TIMEOUT_MAX:
        raise ValueError(f"interval is {interval}, allowed: above 0, at most {threading.TIMEOUT_MAX:.0f}")
    return seconds


class _Reading:
    """What the thread of a reader needs, which is not the reader, nor the session but for as long as it answers."""

    def __init__(self, session: Any, reports: NodeReports):
        self._session = _weakly(session)
        self._reports = reports
        self._rows = OwnRows()
        self._complained: set[str] = set()
        self.failures = dict.fromkeys(VIEWS, 0)

    def read(self, stopped: threading.Event) -> bool:
        """Ask once, and no further when stopped; False where there is no session to ask any more."""
        session = self._session()
        if session is None or is_shut_down(session):
            return False
        tables = self._reports.tables_in_use()
        heats: list[tuple[str, str, str, str, float | None]] = []
        problems: list[str] = []

        def complain(view: str, problem: Exception) -> None:
            problems.append(view)
            if view not in self._complained and not is_shut_down(session):
                self._complained.add(view)
                log.warning(
                    "Nodes do not publish %s, going on without: %s; it takes the plugin on the nodes, and with "
                    "authorisation SELECT on the view for this role (docs/security.md)",
                    view,
                    problem,
                )

        questions = [Asked("isotherm.queues", _QUEUES, self._take_depths)]
        if tables:
            questions.append(Asked("isotherm.settings", _SETTINGS, self._take_settings))
        for table in tables:
            questions.append(Asked("isotherm.heat", _HEAT, lambda rows: heats.extend(map(_heat, rows)), table))
        if not Cycle(session, self._rows, complain, stopped).ask(questions):
            return True  # the heats would be those of some tables only
        if heats or "isotherm.heat" not in problems:
            try:
                self._reports.heats(heats)
            except Exception as problem:
                complain("isotherm.heat", problem)
        if not is_shut_down(session):
            for view in set(problems):
                self.failures[view] += 1
        # What has answered is told of when it fails again; of what was not asked for nothing is known.
        self._complained -= {each.view for each in questions}.difference(problems)
        return True

    def _take_depths(self, rows: list[Sequence[Any]]) -> None:
        self._reports.depths([(str(address), estimate) for address, estimate in rows])

    def _take_settings(self, rows: list[Sequence[Any]]) -> None:
        self._reports.reckon_with(**reckoned_with((name, value) for name, value in rows))

    def run(self, interval: float, stopped: threading.Event) -> None:
        """Ask every `interval` seconds until stopped, or until there is no session to ask."""
        while not stopped.is_set() and self.read(stopped):
            stopped.wait(interval)


class ReportReader:
    """Asks a session for the nodes' reports every `interval` seconds, in a thread of its own, until stopped.

    The thread also ends when the session has been shut down, or when nobody has the session or the reader any more.
    What one view does not answer does not keep the others from being read, nor does one table the others. Questions are
    asked at once, and those that a node does not answer once more, of one that has answered others. Heat is asked for
    by table, and of those tables only for which a plan has lately asked; the settings that shares follow from, where
    there is such a table.
    The rows that the application has from the session may be of any kind. A view that fails is logged once, until it
    has answered again.
    """

    QUEUES: str = _QUEUES.text
    HEAT: str = _HEAT.text
    SETTINGS: str = _SETTINGS.text

    def __init__(self, session: Any, reports: NodeReports, interval: float = 2.0):
        self._interval = _seconds(interval)
        if self._interval >= reports.stale_after:
            log.warning(
                "Reports are read every %g s, and are stale after %g s: again and again there are none",
                self._interval,
                reports.stale_after,
            )
        self._session = session  # held as long as the reader is, which may be the only one that has it
        self._reading = _Reading(session, reports)
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def failures(self) -> dict[str, int]:
        """How many times a view was not read, or not for all tables, by the view's name."""
        return dict(self._reading.failures)

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
        """Stop asking; returns when the thread has ended, or will with the last request of a session that shut down.

        The thread ends with the questions that are under way, after one time-out of 3 s at most.
        """
        if self._thread is None or not self._thread.is_alive():
            return  # as in a process that was forked, perhaps while the thread held the event's lock
        self._stopped.set()
        if self._thread is not threading.current_thread():
            # What is under way when a session is shut down gets no answer from the driver, but its time-out.
            while self._thread.is_alive() and not is_shut_down(self._session):
                self._thread.join(JOIN_SECONDS)

    def read(self) -> bool:
        """Ask once; False where the session has been shut down."""
        return self._reading.read(threading.Event())

    def __enter__(self) -> "ReportReader":
        return self.start()

    def __exit__(self, *problem: object) -> None:
        self.stop()
