# SPDX-License-Identifier: Apache-2.0
"""Rows of an application's session, whatever rows the application itself has from it."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cassandra import ConsistencyLevel
from cassandra.policies import FallthroughRetryPolicy
from cassandra.query import SimpleStatement, tuple_factory

log: logging.Logger = logging.getLogger("isotherm_driver.node_reports")

#: An application that gives its requests no time-out must not have the reader wait for ever; and what others answer is
#: not to be stale (10 s) for one node that hangs.
REQUEST_SECONDS: float = 3.0


class Question(NamedTuple):
    """A statement, and the columns of its rows in their order."""

    text: str
    columns: tuple[str, ...]


def question(columns: str, rest: str) -> Question:
    """The question for these columns, with commas between them."""
    return Question(f"SELECT {columns} {rest}", tuple(columns.split(", ")))


class OwnRows:
    """Asks a session; each row comes as a tuple in the order of the columns, however the application has its rows.

    The row factory of the session's default execution profile is the application's choice, so that questions have a
    profile of their own, a clone: its load-balancing policy is the application's, which the cluster tells of its hosts,
    and so are the retries and the consistency level. The level does not matter to a view, which its node answers by
    itself, but an operator may have disallowed some to clients; only ANY, at which nothing is read, is not taken over.
    A session with the drivers' legacy parameters takes no profiles: its level is taken over whatever it is, and what
    its rows are is seen from them.
    """

    def __init__(self) -> None:
        self._profile: Any = None
        self._takes_profiles = True

    def ask(self, session: Any, asked: Question, parameters: Sequence[str] | None = None, host: Any = None) -> "Answer":
        """The answer, which a session that can ask without waiting for it may not have yet; of any host by default."""
        settings: dict[str, Any] = {} if host is None else {"host": host}
        # A driver sends what is for one host to it again and again, at once, as long as the retry policy says so.
        text = asked.text if host is None else SimpleStatement(asked.text, retry_policy=FallthroughRetryPolicy())
        if self._takes_profiles and hasattr(session, "execution_profile_clone_update"):
            try:
                if self._profile is None:
                    self._profile = _profile_of(session)
                return _sent(session, asked, text, parameters, execution_profile=self._profile, **settings)
            except ValueError as refusal:
                # By setting a legacy parameter, a session that took profiles becomes one that takes none, for good.
                log.debug("Reading without an execution profile: %s", refusal)
                self._takes_profiles, self._profile = False, None
        if hasattr(session, "default_timeout"):
            settings["timeout"] = REQUEST_SECONDS
        return _sent(session, asked, text, parameters, **settings)


class Answer:
    """What a session answers to a question."""

    def __init__(self, asked: Question, result: Callable[[], Iterable[Any]], future: Any = None):
        self._asked = asked
        self._result = result
        self._future = future

    def rows(self) -> list[Sequence[Any]]:
        """Wait for all rows, page after page."""
        return [_in_order(row, self._asked.columns) for row in self._result()]

    @property
    def host(self) -> Any:
        """The host that has answered; None where that is not known."""
        return getattr(self._future, "coordinator_host", None)


def asks_without_waiting(session: Any) -> bool:
    """Whether a session takes a question while others are under way."""
    return hasattr(session, "execute_async")


def _sent(session: Any, asked: Question, text: Any, parameters: Sequence[str] | None, **settings: Any) -> Answer:
    if asks_without_waiting(session):
        future = session.execute_async(text, parameters, **settings)
        return Answer(asked, future.result, future)
    rows = session.execute(text, parameters, **settings)
    return Answer(asked, lambda: rows)


def _profile_of(session: Any) -> Any:
    from cassandra.cluster import EXEC_PROFILE_DEFAULT  # where the session is from: not imported only for this

    profile = session.execution_profile_clone_update(
        EXEC_PROFILE_DEFAULT, row_factory=tuple_factory, request_timeout=REQUEST_SECONDS
    )
    if profile.consistency_level == ConsistencyLevel.ANY:
        profile.consistency_level = ConsistencyLevel.LOCAL_ONE
    return profile


def _in_order(row: Any, columns: tuple[str, ...]) -> Sequence[Any]:
    if isinstance(row, Mapping):
        return [row[column] for column in columns]
    if isinstance(row, tuple | list):
        return row
    return [getattr(row, column) for column in columns]
