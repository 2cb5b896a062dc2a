# SPDX-License-Identifier: Apache-2.0
"""Permissions are Cassandra's, with and without the plugin: one contract for both."""

import pytest
from cassandra import ConsistencyLevel, Unauthorized
from cassandra.cluster import Session
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from roles import Roles

READS = [
    "SELECT value FROM lab.plain WHERE key = 1",
    "SELECT value FROM lab.plain WHERE key IN (1, 2)",
    "SELECT value FROM lab.plain",
]
LIMIT = "ALTER TABLE lab.plain WITH per_partition_rate_limit = {'max_reads_per_second': 1000000}"
CONDITIONAL = "UPDATE lab.plain SET value = 2 WHERE key = 1 IF value = 1"


def refused(session: Session, query) -> None:
    """Assert that the session's role lacks a permission for it."""
    with pytest.raises(Unauthorized):
        session.execute(query)


class PermissionContract:
    """What holds on the nodes of the fixture `roles`."""

    @pytest.mark.parametrize("query", READS)
    def test_select_needs_select(self, roles: Roles, query: str):
        assert roles.reader.execute(query).one().value == 1
        for session in (roles.nobody, roles.writer):
            refused(session, query)
            refused(session, session.prepare(query))

    def test_select_is_refused_at_the_serial_level_too(self, roles: Roles):
        refused(roles.nobody, SimpleStatement(READS[0], consistency_level=ConsistencyLevel.SERIAL))

    def test_writes_need_modify(self, roles: Roles):
        insert = "INSERT INTO lab.plain (key, value) VALUES (9, 9)"
        batch = BatchStatement()
        batch.add(SimpleStatement(insert))
        for query in (insert, batch, f"BEGIN BATCH {insert}; APPLY BATCH"):
            roles.writer.execute(query)
            refused(roles.reader, query)
        refused(roles.reader, roles.reader.prepare(insert))

    def test_updates_of_counters_need_modify(self, roles: Roles):
        update = "UPDATE lab.counters SET value = value + 1 WHERE key = 1"
        batch = BatchStatement(batch_type=BatchType.COUNTER)
        batch.add(SimpleStatement(update))
        every_kind = (update, batch, f"BEGIN COUNTER BATCH {update}; APPLY BATCH")
        for query in every_kind:
            roles.writer.execute(query)
            for session in (roles.nobody, roles.reader):
                refused(session, query)
        roles.writer.execute(roles.writer.prepare(update))
        refused(roles.reader, roles.reader.prepare(update))
        counted = roles.superuser.execute("SELECT value FROM lab.counters WHERE key = 1").one().value
        assert counted == len(every_kind) + 1

    def test_a_conditional_write_needs_both(self, roles: Roles):
        for session in (roles.nobody, roles.reader, roles.writer):
            refused(session, CONDITIONAL)
        roles.superuser.execute("GRANT SELECT ON lab.plain TO writer")
        assert roles.writer.execute(CONDITIONAL).one().applied
        roles.superuser.execute("REVOKE SELECT ON lab.plain FROM writer")
        refused(roles.writer, READS[0])
        roles.superuser.execute("UPDATE lab.plain SET value = 1 WHERE key = 1")

    def test_a_permission_taken_back_counts_for_what_was_prepared_before(self, roles: Roles):
        prepared = roles.reader.prepare(READS[0].replace("1", "?"))
        assert roles.reader.execute(prepared, (1,)).one().value == 1
        roles.superuser.execute("REVOKE SELECT ON lab.plain FROM reader")
        with pytest.raises(Unauthorized):
            roles.reader.execute(prepared, (1,))
        roles.superuser.execute("GRANT SELECT ON lab.plain TO reader")
        assert roles.reader.execute(prepared, (1,)).one().value == 1

    def test_a_limit_needs_what_any_alter_table_needs(self, roles: Roles):
        for session in (roles.nobody, roles.reader, roles.writer):
            refused(session, LIMIT)
            refused(session, session.prepare(LIMIT))
            refused(session, LIMIT.replace("1000000", "-1"))
