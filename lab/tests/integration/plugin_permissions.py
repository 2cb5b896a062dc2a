# SPDX-License-Identifier: Apache-2.0
"""Permissions and guardrails hold for the plugin's own tables and option."""

import pytest
from cassandra import InvalidRequest, Unauthorized
from cassandra.protocol import ConfigurationException
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from operators_page import revocation
from permission_contract import CONDITIONAL, LIMIT, READS, refused
from plugin_views import change_setting, counts, partition_limits
from roles import Roles
from waiting import until

VIEWS = (
    "counts",
    "heat",
    "hottest_partitions",
    "limited_partitions",
    "partition_limits",
    "queues",
    "replicas",
    "rollout",
    "settings",
)


class PluginPermissions:
    """What holds on the nodes of the fixture `roles`, which have the plugin."""

    def test_who_may_alter_the_table_sets_its_limit(self, roles: Roles):
        roles.superuser.execute("GRANT ALTER ON lab.plain TO writer")
        roles.writer.execute(LIMIT)
        assert partition_limits(roles.superuser, "plain") == {"max_reads_per_second": 1000000, "dry_run": False}
        roles.writer.execute(roles.writer.prepare(LIMIT.replace("1000000", "1000001")))
        assert partition_limits(roles.superuser, "plain") == {"max_reads_per_second": 1000001, "dry_run": False}
        with pytest.raises(ConfigurationException):
            roles.writer.execute(LIMIT.replace("1000000", "-1"))
        roles.superuser.execute("REVOKE ALTER ON lab.plain FROM writer")
        refused(roles.writer, LIMIT)

    def test_who_creates_a_table_with_a_limit_owns_it(self, roles: Roles):
        create = (
            "CREATE TABLE lab.own (key bigint PRIMARY KEY) WITH per_partition_rate_limit = {'max_reads_per_second': 1}"
        )
        refused(roles.writer, create)
        roles.superuser.execute("GRANT CREATE ON KEYSPACE lab TO writer")
        roles.writer.execute(create)
        roles.superuser.execute("REVOKE CREATE ON KEYSPACE lab FROM writer")
        roles.writer.execute("INSERT INTO lab.own (key) VALUES (1)")
        roles.writer.execute("DROP TABLE lab.own")

    def test_guardrails_on_table_properties_hold_for_a_limit(self, roles: Roles):
        """The schema keeps it as an extension, so it is `extensions` that Cassandra can be told to guard."""
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

    def test_a_guardrail_warns_of_an_in_once(self, roles: Roles):
        """The plugin works out the keys of these statements too."""
        roles.superuser.execute(
            "CREATE TABLE lab.listed (key bigint PRIMARY KEY, value bigint) WITH per_partition_rate_limit ="
            " {'max_reads_per_second': 1000000, 'max_writes_per_second': 1000000}"
        )
        roles.superuser.execute("GRANT SELECT ON lab.listed TO writer")
        roles.superuser.execute("GRANT MODIFY ON lab.listed TO writer")
        roles.cluster.order("guardrail", "keys 2")
        try:
            for statement in ("SELECT value FROM lab.listed", "UPDATE lab.listed SET value = 1"):
                warned = roles.writer.execute_async(f"{statement} WHERE key IN (1, 2, 3)")
                warned.result()
                assert len(warned.warnings) == 1, warned.warnings
                assert "IN" in warned.warnings[0]
        finally:
            roles.cluster.order("guardrail", "keys -1")

    def test_who_may_not_use_a_table_learns_nothing_of_its_limit(self, roles: Roles):
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

    def test_the_hottest_partitions_are_shown_to_those_who_may_read_their_table(self, roles: Roles):
        created = (
            "CREATE TABLE lab.customers (name text PRIMARY KEY, value bigint) WITH per_partition_rate_limit ="
            " {'max_writes_per_second': 1000000}"
        )
        roles.superuser.execute(created)
        insert = "INSERT INTO lab.customers (name, value) VALUES ('Ada Lovelace', 1)"
        assert_shown_to_readers(roles, "customers", insert)
        # Whoever may read another table of this name may not see whose rows were in the one before it.
        roles.superuser.execute("DROP TABLE lab.customers")
        roles.superuser.execute(created)
        roles.superuser.execute("GRANT SELECT ON lab.customers TO reader")
        roles.superuser.execute("GRANT SELECT ON isotherm.hottest_partitions TO reader")
        hottest = "SELECT * FROM isotherm.hottest_partitions WHERE keyspace_name = 'lab' AND table_name = 'customers'"
        assert list(roles.reader.execute(hottest)) == []
        roles.superuser.execute("REVOKE SELECT ON isotherm.hottest_partitions FROM reader")

    def test_so_are_those_of_a_table_without_a_limit_that_hold_the_read_threads(self, roles: Roles):
        roles.superuser.execute("CREATE TABLE lab.patients (name text PRIMARY KEY, value bigint)")
        roles.superuser.execute("INSERT INTO lab.patients (name, value) VALUES ('Ada Lovelace', 1)")
        change_setting(roles.superuser, "limit.fair_share", "dry_run")
        try:
            assert_shown_to_readers(roles, "patients", "SELECT value FROM lab.patients WHERE name = 'Ada Lovelace'")
        finally:
            change_setting(roles.superuser, "limit.fair_share", "off")

    def test_who_may_modify_the_limited_partitions_limits_one(self, roles: Roles):
        row = "keyspace_name = 'lab' AND table_name = 'plain' AND partition_key = '1'"
        limit = (
            "INSERT INTO isotherm.limited_partitions (keyspace_name, table_name, partition_key, max_reads_per_second,"
            " until) VALUES ('lab', 'plain', '1', 1000000, toTimestamp(now()) + 2h)"
        )
        shown = f"SELECT partition_key, max_reads_per_second FROM isotherm.limited_partitions WHERE {row}"
        for name in ("nobody", "reader"):
            roles.superuser.execute(f"GRANT SELECT ON isotherm.limited_partitions TO {name}")
        for session in (roles.nobody, roles.reader, roles.writer):
            for query in (
                limit,
                limit.replace("1000000", "-1"),
                f"DELETE FROM isotherm.limited_partitions WHERE {row}",
            ):
                refused(session, query)
        assert list(roles.reader.execute(shown)) == []
        roles.superuser.execute("GRANT MODIFY ON isotherm.limited_partitions TO writer")
        roles.writer.execute(limit)
        # The reader may read the table whose key it is; nobody may not.
        assert [(found.partition_key, found.max_reads_per_second) for found in roles.reader.execute(shown)] == [
            ("1", 1000000)
        ]
        assert list(roles.nobody.execute(shown)) == []
        refused(roles.writer, shown)
        roles.writer.execute(f"DELETE FROM isotherm.limited_partitions WHERE {row}")
        assert list(roles.reader.execute(shown)) == []
        roles.superuser.execute("REVOKE MODIFY ON isotherm.limited_partitions FROM writer")
        for name in ("nobody", "reader"):
            roles.superuser.execute(f"REVOKE SELECT ON isotherm.limited_partitions FROM {name}")

    @pytest.mark.parametrize("view", VIEWS)
    def test_a_view_is_for_those_who_are_granted_it(self, roles: Roles, view: str):
        query = f"SELECT * FROM isotherm.{view}"
        refused(roles.reader, query)
        roles.superuser.execute(f"GRANT SELECT ON isotherm.{view} TO reader")
        roles.reader.execute(query)
        roles.superuser.execute(f"REVOKE SELECT ON isotherm.{view} FROM reader")

    def test_there_is_no_other_view(self, roles: Roles):
        query = "SELECT table_name FROM system_virtual_schema.tables WHERE keyspace_name = 'isotherm'"
        assert sorted(row.table_name for row in roles.superuser.execute(query)) == list(VIEWS)

    def test_who_may_modify_the_settings_changes_them(self, roles: Roles):
        change = "UPDATE isotherm.settings SET value = %s WHERE name = 'heat.placement'"
        shown = "SELECT value FROM isotherm.settings WHERE name = 'heat.placement'"
        roles.superuser.execute("GRANT SELECT ON isotherm.settings TO reader")
        for session in (roles.nobody, roles.reader, roles.writer):
            with pytest.raises(Unauthorized):
                session.execute(change, ("affinity",))
        assert roles.reader.execute(shown).one().value == "local"
        roles.superuser.execute("GRANT MODIFY ON isotherm.settings TO writer")
        change_setting(roles.writer, "heat.placement", "affinity")
        assert roles.reader.execute(shown).one().value == "affinity"
        change_setting(roles.writer, "heat.placement", "local")
        for permission, name in (("SELECT", "reader"), ("MODIFY", "writer")):
            roles.superuser.execute(f"REVOKE {permission} ON isotherm.settings FROM {name}")

    def test_what_was_granted_is_found_and_taken_back_as_the_operators_page_says(self, roles: Roles):
        """Before the plugin is removed: `test_permissions.py` shows that it is too late afterwards."""
        listing, revoke = revocation()

        def granted() -> list[str]:
            listed = [row for row in roles.superuser.execute(listing) if row.role == "reader"]
            return [row.resource for row in listed if row.resource.startswith("<table isotherm.")]

        for view in VIEWS:
            roles.superuser.execute(f"GRANT SELECT ON isotherm.{view} TO reader")
        roles.superuser.execute("GRANT MODIFY ON isotherm.settings TO reader")
        assert sorted(set(granted())) == [f"<table isotherm.{view}>" for view in VIEWS]
        for view in VIEWS:
            roles.superuser.execute(revoke.format(table=view, role="reader"))
        assert granted() == []

    def test_a_grant_on_all_keyspaces_is_for_data_alone(self, roles: Roles):
        """Before 4.1.8 and 5.0.3 Cassandra has its own system keyspaces among them too."""
        change = "UPDATE isotherm.settings SET value = 'affinity' WHERE name = 'heat.placement'"
        limit = (
            "INSERT INTO isotherm.limited_partitions (keyspace_name, table_name, partition_key, max_reads_per_second,"
            " until) VALUES ('lab', 'plain', '1', 1, toTimestamp(now()) + 2h)"
        )
        end = "DELETE FROM isotherm.limited_partitions WHERE keyspace_name = 'lab' AND table_name = 'plain'"
        for permission, name in (("MODIFY", "writer"), ("SELECT", "reader")):
            roles.superuser.execute(f"GRANT {permission} ON ALL KEYSPACES TO {name}")
        try:
            roles.writer.execute("INSERT INTO lab.plain (key, value) VALUES (1, 1)")
            for write in (change, limit, f"{end} AND partition_key = '1'"):
                batch = BatchStatement(BatchType.UNLOGGED)
                batch.add(SimpleStatement(write))
                for query in (write, roles.writer.prepare(write), batch, f"BEGIN UNLOGGED BATCH {write}; APPLY BATCH"):
                    refused(roles.writer, query)
            setting = "SELECT value FROM isotherm.settings WHERE name = 'heat.placement'"
            assert roles.reader.execute(setting).one().value == "local"
            assert list(roles.reader.execute("SELECT * FROM isotherm.limited_partitions")) == []
            roles.superuser.execute("GRANT MODIFY ON isotherm.settings TO writer")
            change_setting(roles.writer, "heat.placement", "affinity")
            change_setting(roles.writer, "heat.placement", "local")
            roles.superuser.execute("REVOKE MODIFY ON isotherm.settings FROM writer")
        finally:
            for permission, name in (("MODIFY", "writer"), ("SELECT", "reader")):
                roles.superuser.execute(f"REVOKE {permission} ON ALL KEYSPACES FROM {name}")


def assert_shown_to_readers(roles: Roles, table: str, statement: str) -> None:
    """Assert that the partition of this statement is shown to those who may read the table, and to nobody else."""
    hottest = (
        f"SELECT partition_key FROM isotherm.hottest_partitions WHERE keyspace_name = 'lab' AND table_name = '{table}'"
    )
    for name in ("nobody", "reader"):
        roles.superuser.execute(f"GRANT SELECT ON isotherm.hottest_partitions TO {name}")
    roles.superuser.execute(f"GRANT SELECT ON lab.{table} TO reader")

    def shown() -> list[str]:
        for _ in range(40):
            roles.superuser.execute(statement)
        return [row.partition_key for row in roles.reader.execute(hottest)]

    assert until(shown, "who may read the table sees its hottest partition") == ["Ada Lovelace"]
    assert list(roles.nobody.execute(hottest)) == []
    assert [row.partition_key for row in roles.superuser.execute(hottest)] == ["Ada Lovelace"]
    for name in ("nobody", "reader"):
        roles.superuser.execute(f"REVOKE SELECT ON isotherm.hottest_partitions FROM {name}")
