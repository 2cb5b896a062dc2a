# SPDX-License-Identifier: Apache-2.0
"""The client that changes the schema notices a table that holds what it must not."""

from collections.abc import Callable

from isotherm_lab.experiments.soak.schema_changes import SchemaChanges


class OneTable:
    """A session with one table in memory, which can be made to forget to truncate, or to fail."""

    def __init__(self, truncates: bool = True, fails: str = ""):
        self._truncates = truncates
        self._fails = fails
        self._rows: list[str] | None = None
        self.created = 0

    def execute(self, statement: str) -> list[str]:
        if self._fails and statement.startswith(self._fails):
            raise ConnectionError("reset")
        if statement.startswith("CREATE"):
            assert self._rows is None
            self._rows, self.created = [], self.created + 1
        elif statement.startswith("DROP"):
            self._rows = None
        elif statement.startswith("TRUNCATE"):
            self._rows = [] if self._truncates else self._rows
        elif statement.startswith("INSERT"):
            self._rows.append(statement)
        return list(self._rows or [])


def rounds(session: OneTable) -> SchemaChanges:
    changes = SchemaChanges(" WITH comment = 'here'")
    (step,) = changes.bodies(session)  # type: ignore[arg-type]
    repeat(step, until=lambda: session.created >= 6 or len(changes.history.so_far()) > 500)
    return changes


def repeat(step: Callable[[], object], until: Callable[[], bool]) -> None:
    while not until():
        step()


def test_a_table_that_is_as_it_must_be():
    changes = rounds(OneTable())
    assert changes.violations == []
    assert {each.kind for each in changes.history.so_far()} == {
        "create table", "insert into", "count", "truncate", "drop table"}  # fmt: skip
    assert all(each.succeeded for each in changes.history.so_far())


def test_what_the_clients_of_an_earlier_fault_have_left_is_no_failure_of_this_one():
    session = OneTable()
    session.execute("CREATE TABLE lab.churned")
    assert all(each.succeeded for each in rounds(session).history.so_far())


def test_a_table_that_keeps_what_was_truncated():
    assert set(rounds(OneTable(truncates=False)).violations) == {"lab.churned held 10 rows instead of 0 after TRUNCATE"}


def test_what_a_failed_statement_has_done_is_not_known():
    changes = rounds(OneTable(truncates=False, fails="TRUNCATE"))
    assert changes.violations == []
    assert any(not each.succeeded for each in changes.history.so_far())
