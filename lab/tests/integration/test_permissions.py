# SPDX-License-Identifier: Apache-2.0
"""Permissions are what they are in Cassandra, with the plugin and without it, and hold for its own tables."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from cassandra import ConsistencyLevel, InvalidRequest, Unauthorized
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import NoHostAvailable, Session
from cassandra.query import BatchStatement, SimpleStatement
from coordinators import pinned
from plugin_views import change_setting, counts
from single_node import single_node
from waiting import until

WITH_AUTHORISATION = {
    "authenticator": "PasswordAuthenticator",
    "authorizer": "CassandraAuthorizer",
    # What was granted counts at once.
    "permissions_validity": "0ms",
    "roles_validity": "0ms",
}
READS = [
    "SELECT value FROM lab.plain WHERE key = 1",
    "SELECT value FROM lab.plain WHERE key IN (1, 2)",
    "SELECT value FROM lab.plain",
]
CONDITIONAL = "UPDATE lab.plain SET value = 2 WHERE key = 1 IF value = 1"


@dataclass
class Roles:
    plugin: bool
    superuser: Session
    nobody: Session
    reader: Session
    writer: Session


@pytest.fixture(scope="module", params=["cassandra", "isotherm"])
def roles(request) -> Iterator[Roles]:
    """A node with authorisation on, and sessions of roles with no, SELECT, and MODIFY permission on one table."""
    sessions: list[Session] = []
    with single_node(request.param, WITH_AUTHORISATION) as cluster:
        cluster.start()
        address = cluster.nodes[0].address

        def logged_in(name: str, password: str) -> Session | None:
            try:
                sessions.append(pinned(address, PlainTextAuthProvider(name, password)))
                return sessions[-1]
            except NoHostAvailable:  # the first role is made some moments after CQL is up
                return None

        superuser = until(lambda: logged_in("cassandra", "cassandra"), "the first role can log in", timeout_s=60)
        superuser.execute("CREATE KEYSPACE lab WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        superuser.execute("CREATE TABLE lab.plain (key bigint PRIMARY KEY, value bigint)")
        superuser.execute("INSERT INTO lab.plain (key, value) VALUES (1, 1)")
        for role in ("nobody", "reader", "writer"):
            superuser.execute(f"CREATE ROLE {role} WITH PASSWORD = 'secret' AND LOGIN = true")
        superuser.execute("GRANT SELECT ON lab.plain TO reader")
        superuser.execute("GRANT MODIFY ON lab.plain TO writer")
        others = [logged_in(role, "secret") for role in ("nobody", "reader", "writer")]
        try:
            yield Roles(request.param == "isotherm", superuser, *others)
        finally:
            for session in sessions:
                session.cluster.shutdown()


def refused(session: Session, query) -> None:
    with pytest.raises(Unauthorized):
        session.execute(query)


@pytest.mark.parametrize("query", READS)
def test_select_needs_select(roles: Roles, query: str):
    assert roles.reader.execute(query).one().value == 1
    for session in (roles.nobody, roles.writer):
        refused(session, query)
        refused(session, session.prepare(query))


def test_select_is_refused_at_the_serial_level_too(roles: Roles):
    refused(roles.nobody, SimpleStatement(READS[0], consistency_level=ConsistencyLevel.SERIAL))


def test_writes_need_modify(roles: Roles):
    insert = "INSERT INTO lab.plain (key, value) VALUES (9, 9)"
    batch = BatchStatement()
    batch.add(SimpleStatement(insert))
    for query in (insert, batch, f"BEGIN BATCH {insert}; APPLY BATCH"):
        roles.writer.execute(query)
        refused(roles.reader, query)
    refused(roles.reader, roles.reader.prepare(insert))


def test_a_conditional_write_needs_both(roles: Roles):
    for session in (roles.nobody, roles.reader, roles.writer):
        refused(session, CONDITIONAL)
    roles.superuser.execute("GRANT SELECT ON lab.plain TO writer")
    assert roles.writer.execute(CONDITIONAL).one().applied
    roles.superuser.execute("REVOKE SELECT ON lab.plain FROM writer")
    refused(roles.writer, READS[0])
    roles.superuser.execute("UPDATE lab.plain SET value = 1 WHERE key = 1")


def test_a_permission_taken_back_counts_for_what_was_prepared_before(roles: Roles):
    prepared = roles.reader.prepare(READS[0].replace("1", "?"))
    assert roles.reader.execute(prepared, (1,)).one().value == 1
    roles.superuser.execute("REVOKE SELECT ON lab.plain FROM reader")
    with pytest.raises(Unauthorized):
        roles.reader.execute(prepared, (1,))
    roles.superuser.execute("GRANT SELECT ON lab.plain TO reader")
    assert roles.reader.execute(prepared, (1,)).one().value == 1


def test_the_virtual_tables_are_for_those_who_are_granted_them(roles: Roles):
    if not roles.plugin:
        with pytest.raises(InvalidRequest):
            roles.superuser.execute("SELECT * FROM isotherm.heat")
        return
    tables = ("heat", "settings", "counts")
    for table in tables:
        refused(roles.reader, f"SELECT * FROM isotherm.{table}")
    with pytest.raises(Unauthorized):
        change_setting(roles.reader, "heat.enabled", "false")
    for table in tables:
        roles.superuser.execute(f"GRANT SELECT ON isotherm.{table} TO reader")
        roles.reader.execute(f"SELECT * FROM isotherm.{table}")
    with pytest.raises(Unauthorized):
        change_setting(roles.reader, "heat.enabled", "false")
    roles.superuser.execute("GRANT MODIFY ON isotherm.settings TO writer")
    change_setting(roles.writer, "heat.placement", "affinity")
    settings = {row.name: row.value for row in roles.superuser.execute("SELECT * FROM isotherm.settings")}
    assert settings == {"heat.enabled": "true", "heat.placement": "affinity"}


def test_nothing_of_ours_failed(roles: Roles):
    if roles.plugin:
        assert counts(roles.superuser)["Failures"] == 0
