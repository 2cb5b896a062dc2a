# SPDX-License-Identifier: Apache-2.0
"""Each statement that a page sets apart does what it says on a node, as it stands; grants have tests of their own."""

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest
from cassandra.cluster import Session
from coordinators import SCHEMA_S
from shared_cluster import SharedCluster

from isotherm_lab.cluster.configuration import DATACENTER
from isotherm_lab.paths import project_root

pytestmark = pytest.mark.contract

#: Indented lines from one of these words to the semicolon.
_STATEMENT = re.compile(r"^ {4}((?:SELECT|UPDATE|INSERT|DELETE|ALTER) [^;]+;)$", re.MULTILINE)
STATEMENTS = {
    f"{page.stem}, {number}": statement
    for page in sorted((project_root() / "docs").glob("*.md"))
    for number, statement in enumerate(_STATEMENT.findall(page.read_text()), 1)
}


@pytest.fixture(scope="module")
def session(shared_cluster: SharedCluster) -> Iterator[Session]:
    """A node with the table of the pages, `ks.t`, whose settings are as they were afterwards."""
    session = shared_cluster.session(0)
    session.execute(
        f"CREATE KEYSPACE ks WITH replication = {{'class': 'NetworkTopologyStrategy', '{DATACENTER}': 3}}",
        timeout=SCHEMA_S,
    )
    session.execute("CREATE TABLE ks.t (key text PRIMARY KEY, value int)")
    before = settings(session)
    yield session
    for name, row in settings(session).items():
        if row.kept:
            session.execute("UPDATE isotherm.settings SET kept = false WHERE name = %s", (name,))
        if row.value != before[name].value:
            session.execute("UPDATE isotherm.settings SET value = %s WHERE name = %s", (before[name].value, name))
    session.execute("DROP KEYSPACE ks", timeout=SCHEMA_S)


def settings(session: Session) -> dict:
    return {row.name: row for row in session.execute("SELECT * FROM isotherm.settings")}


def of_table(session: Session, source: str) -> Any:
    return session.execute(f"SELECT * FROM {source} WHERE keyspace_name = 'ks' AND table_name = 't'").one()


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_a_statement_of_a_page_does_what_it_says(session: Session, statement: str):
    rows = session.execute(statement)
    if changed := re.fullmatch(r"UPDATE .* value = '(\S+)'(, kept = true)?\s+WHERE name = '(\S+)';", statement):
        value, kept, name = changed.groups()
        row = settings(session)[name]
        # Of the time out of reads it says what is left.
        assert (row.value != "0s") if name == "guard.out_of_reads" else (row.value == value)
        assert row.kept == bool(kept)
    elif statement.startswith("SELECT"):
        assert rows.column_names
    elif statement.startswith("INSERT"):
        limited = of_table(session, "isotherm.limited_partitions")
        assert f"'{limited.partition_key}'" in statement
        session.execute(
            "DELETE FROM isotherm.limited_partitions WHERE keyspace_name = 'ks' AND table_name = 't'"
            " AND partition_key = %s",
            (limited.partition_key,),
        )
    else:
        option = ast.literal_eval(statement.partition("per_partition_rate_limit = ")[2].rstrip(";"))
        limit = of_table(session, "isotherm.partition_limits")
        for name in ("max_reads_per_second", "max_writes_per_second"):
            assert (limit and getattr(limit, name)) == option.get(name)
        assert bool(limit and limit.dry_run) == ("dry_run" in option)
        assert bool(of_table(session, "system_schema.tables").extensions) == bool(option)


def test_there_are_such_statements():
    words = {statement.split()[0] for statement in STATEMENTS.values()}
    assert words == {"SELECT", "UPDATE", "INSERT", "ALTER"}
    assert len(STATEMENTS) >= 20


def test_nobody_complains(shared_cluster: SharedCluster, marks):
    shared_cluster.assert_nothing_failed(marks)
