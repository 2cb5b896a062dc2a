# SPDX-License-Identifier: Apache-2.0
"""Permissions and guardrails are Cassandra's, with and without the plugin, and hold for its own tables and option."""

from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel, InvalidRequest, Unauthorized
from cassandra.cluster import Session
from cassandra.protocol import ConfigurationException, SyntaxException
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from plugin_views import change_setting, counts, partition_limits
from roles import Roles, roles_on
from waiting import until

READS = [
    "SELECT value FROM lab.plain WHERE key = 1",
    "SELECT value FROM lab.plain WHERE key IN (1, 2)",
    "SELECT value FROM lab.plain",
]
LIMIT = "ALTER TABLE lab.plain WITH per_partition_rate_limit = {'max_reads_per_second': 1000000}"
CONDITIONAL = "UPDATE lab.plain SET value = 2 WHERE key = 1 IF value = 1"


@pytest.fixture(scope="module", params=["cassandra", "isotherm"])
def roles(request) -> Iterator[Roles]:
    with roles_on(request.param) as roles:
        yield roles


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


def test_updates_of_counters_need_modify(roles: Roles):
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


def test_a_limit_needs_what_any_alter_table_needs(roles: Roles):
    wrong = LIMIT.replace("1000000", "-1")
    for session in (roles.nobody, roles.reader, roles.writer):
        refused(session, LIMIT)
        refused(session, session.prepare(LIMIT))
        refused(session, wrong)
    roles.superuser.execute("GRANT ALTER ON lab.plain TO writer")
    if roles.plugin:
        roles.writer.execute(LIMIT)
        assert partition_limits(roles.superuser, "plain") == {"max_reads_per_second": 1000000, "dry_run": False}
        roles.writer.execute(roles.writer.prepare(LIMIT.replace("1000000", "1000001")))
        assert partition_limits(roles.superuser, "plain") == {"max_reads_per_second": 1000001, "dry_run": False}
        with pytest.raises(ConfigurationException):
            roles.writer.execute(wrong)
    else:
        for query in (LIMIT, wrong):
            with pytest.raises(SyntaxException):
                roles.writer.execute(query)
    roles.superuser.execute("REVOKE ALTER ON lab.plain FROM writer")
    refused(roles.writer, LIMIT)


def test_who_creates_a_table_with_a_limit_owns_it(roles: Roles):
    if not roles.plugin:
        pytest.skip("Cassandra does not know the option")
    create = "CREATE TABLE lab.own (key bigint PRIMARY KEY) WITH per_partition_rate_limit = {'max_reads_per_second': 1}"
    refused(roles.writer, create)
    roles.superuser.execute("GRANT CREATE ON KEYSPACE lab TO writer")
    roles.writer.execute(create)
    roles.superuser.execute("REVOKE CREATE ON KEYSPACE lab FROM writer")
    roles.writer.execute("INSERT INTO lab.own (key) VALUES (1)")
    roles.writer.execute("DROP TABLE lab.own")


def test_guardrails_on_table_properties_hold_for_a_limit(roles: Roles):
    """The schema keeps it as an extension, so it is `extensions` that Cassandra can be told to guard."""
    if not roles.plugin:
        pytest.skip("Cassandra does not know the option")
    roles.superuser.execute("GRANT ALTER ON lab.plain TO writer")
    roles.superuser.execute(LIMIT)
    before = partition_limits(roles.superuser, "plain")
    another = LIMIT.replace("1000000", "2000000")

    roles.cluster.order("guardrail", "disallowed extensions")
    with pytest.raises(InvalidRequest) as refusal:
        roles.writer.execute(another)
    assert "Provided values [extensions] are not allowed" in str(refusal.value)
    roles.cluster.order("guardrail", "disallowed")
    assert partition_limits(roles.superuser, "plain") == before

    roles.cluster.order("guardrail", "ignored extensions")
    ignored = roles.writer.execute_async(another)
    ignored.result()
    assert "Ignoring provided values [extensions]" in ignored.warnings[0]
    assert partition_limits(roles.superuser, "plain") == before
    roles.cluster.order("guardrail", "ignored")

    roles.cluster.order("guardrail", "warned extensions")
    warned = roles.writer.execute_async(another)
    warned.result()
    assert "Provided values [extensions] are not recommended" in warned.warnings[0]
    assert partition_limits(roles.superuser, "plain") == {"max_reads_per_second": 2000000, "dry_run": False}
    roles.cluster.order("guardrail", "warned")
    roles.superuser.execute("REVOKE ALTER ON lab.plain FROM writer")


def test_who_may_not_use_a_table_learns_nothing_of_its_limit(roles: Roles):
    if not roles.plugin:
        return  # there is none
    roles.superuser.execute(
        "CREATE TABLE lab.closed (key bigint PRIMARY KEY, value bigint) WITH per_partition_rate_limit ="
        " {'max_reads_per_second': 0, 'max_writes_per_second': 0}"
    )
    roles.superuser.execute("GRANT SELECT ON lab.closed TO reader")
    roles.superuser.execute("GRANT MODIFY ON lab.closed TO writer")
    before = counts(roles.superuser)["LimitRejected"]
    insert = "INSERT INTO lab.closed (key, value) VALUES (1, 1)"
    batch = BatchStatement()
    batch.add(SimpleStatement(insert))
    for permitted, others, queries in (
        (roles.reader, (roles.nobody, roles.writer), [READS[0].replace("plain", "closed")]),
        (roles.writer, (roles.nobody, roles.reader), [insert, batch, f"BEGIN BATCH {insert}; APPLY BATCH"]),
        (roles.superuser, (roles.nobody, roles.reader, roles.writer), [CONDITIONAL.replace("plain", "closed")]),
    ):
        for query in queries:
            for session in others:
                refused(session, query)
            with pytest.raises(ConfigurationException, match=r"rate limit exceeded: lab\.closed"):
                permitted.execute(query)
    assert counts(roles.superuser)["LimitRejected"] - before == 5


def test_the_hottest_partitions_are_shown_to_those_who_may_read_their_table(roles: Roles):
    if not roles.plugin:
        return  # there is no such table
    roles.superuser.execute(
        "CREATE TABLE lab.customers (name text PRIMARY KEY, value bigint) WITH per_partition_rate_limit ="
        " {'max_writes_per_second': 1000000}"
    )
    hottest = (
        "SELECT partition_key FROM isotherm.hottest_partitions WHERE keyspace_name = 'lab' AND table_name = 'customers'"
    )
    for name in ("nobody", "reader"):
        roles.superuser.execute(f"GRANT SELECT ON isotherm.hottest_partitions TO {name}")
    roles.superuser.execute("GRANT SELECT ON lab.customers TO reader")

    def shown() -> list[str]:
        for _ in range(40):
            roles.superuser.execute("INSERT INTO lab.customers (name, value) VALUES ('Ada Lovelace', 1)")
        return [row.partition_key for row in roles.reader.execute(hottest)]

    assert until(shown, "who may read the table sees its hottest partition") == ["Ada Lovelace"]
    assert list(roles.nobody.execute(hottest)) == []
    assert [row.partition_key for row in roles.superuser.execute(hottest)] == ["Ada Lovelace"]
    roles.superuser.execute("REVOKE SELECT ON isotherm.hottest_partitions FROM reader")


def test_the_virtual_tables_are_for_those_who_are_granted_them(roles: Roles):
    if not roles.plugin:
        with pytest.raises(InvalidRequest):
            roles.superuser.execute("SELECT * FROM isotherm.heat")
        return
    tables = ("heat", "settings", "counts", "partition_limits", "hottest_partitions", "replicas", "rollout")
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
    assert settings["heat.placement"] == "affinity"


def test_nothing_of_ours_failed(roles: Roles):
    if roles.plugin:
        assert counts(roles.superuser)["Failures"] == 0
