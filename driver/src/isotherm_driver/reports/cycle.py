# SPDX-License-Identifier: Apache-2.0
"""The questions that a reader asks at a time, so that one node that hangs keeps the answers of no other one waiting."""

from collections import deque
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, NamedTuple

from isotherm_driver.reports.own_rows import Answer, OwnRows, Question, asks_without_waiting

#: An application may have thousands of tables, whose questions are not to come upon its nodes all at once.
MOST_UNDER_WAY: int = 32


def is_shut_down(session: Any) -> bool:
    """Whether a session says that it was shut down."""
    return getattr(session, "is_shutdown", False) is True


class Asked(NamedTuple):
    """A question about a view, and what takes the rows of its answer."""

    view: str
    question: Question
    take: Callable[[list[Sequence[Any]]], None]
    parameters: Sequence[str] | None = None


class Cycle:
    """Asks a session questions at once, and those that were not answered once more.

    Where a question has failed, those after it go to nodes that have answered one before, in turn: a node that hangs
    costs one or two time-outs, however many questions there are. Where none has answered, as when the application's
    policy gives each question the node that hangs first, the policy is asked again. A session that can only wait is
    asked one question after the other. Whoever waits for a cycle to end when it is stopped waits for what is under way,
    one time-out at most: nothing is asked after that.
    """

    def __init__(self, session: Any, rows: OwnRows, problem: Callable[[str, Exception], None], stopped: Event):
        self._session = session
        self._rows = rows
        self._problem = problem  # is told of each view and what was the matter
        self._stopped = stopped
        self._is_cut_short = False
        self._answering: deque[Any] = deque()
        self._silent: list[Any] = []
        self._has_failed = False

    def ask(self, questions: Sequence[Asked]) -> bool:
        """Ask all questions; those that fail twice are told of. False where it was stopped before all were asked."""
        if asks_without_waiting(self._session):
            self._ask_twice(questions)
        else:
            for asked in questions:
                self._ask_twice([asked])
        return not self._is_cut_short

    def _ask_twice(self, questions: Sequence[Asked]) -> None:
        again: list[tuple[Asked, Any]] = []

        def failed(asked: Asked, problem: Exception, host: Any) -> None:
            if is_shut_down(self._session):
                self._problem(asked.view, problem)
            else:
                again.append((asked, host))

        self._ask_once([(asked, None) for asked in questions], failed)
        self._ask_once(again, lambda asked, problem, host: self._problem(asked.view, problem))

    def _ask_once(
        self, questions: Sequence[tuple[Asked, Any]], failed: Callable[[Asked, Exception, Any], None]
    ) -> None:
        """Ask each question, of another node than the one beside it where others have answered."""
        for start in range(0, len(questions), MOST_UNDER_WAY):
            if self._stopped.is_set():
                self._is_cut_short = True
                return
            under_way: list[tuple[Asked, Any, Answer]] = []
            for asked, other_than in questions[start : start + MOST_UNDER_WAY]:
                host = self._host(other_than)
                try:
                    answer = self._rows.ask(self._session, asked.question, asked.parameters, host)
                    under_way.append((asked, host, answer))
                except Exception as problem:
                    self._has_failed = True
                    failed(asked, problem, host)
            for asked, host, answer in under_way:
                self._collect(asked, host, answer, failed)

    def _host(self, other_than: Any) -> Any:
        """The node to ask; None for the next one of the application's policy."""
        if self._has_failed:
            for _ in range(len(self._answering)):
                self._answering.rotate()
                if self._answering[0] is not other_than:
                    return self._answering[0]
        return None

    def _collect(
        self, asked: Asked, asked_host: Any, answer: Answer, failed: Callable[[Asked, Exception, Any], None]
    ) -> None:
        try:
            rows = answer.rows()
        except Exception as problem:  # one node that is silent or without the plugin: others may answer
            self._has_failed = True
            # Of a question for one host that has no connection any more, nothing else tells which it was.
            silent = getattr(problem, "last_host", None) or (asked_host if answer.host is None else None)
            if silent is not None:
                self._silent.append(silent)
                self._answering = deque(host for host in self._answering if host is not silent)
            failed(asked, problem, answer.host or silent)
            return
        host = answer.host
        if host is not None and not any(host is each for each in (*self._answering, *self._silent)):
            self._answering.append(host)
        try:
            asked.take(rows)
        except Exception as problem:  # rows that are not as known will not be so either when they are asked for again
            self._problem(asked.view, problem)
