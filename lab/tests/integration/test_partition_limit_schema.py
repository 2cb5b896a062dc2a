# SPDX-License-Identifier: Apache-2.0
"""The table option per_partition_rate_limit: how it is set, what is refused, and what it outlives."""

from collections.abc import Iterator

import pytest
from cassandra import AlreadyExists, InvalidRequest, Unauthorized
from cassandra.cluster import Session
from cassandra.protocol import ConfigurationException, SyntaxException
from coordinators import pinned
from plugin_views import LogMark, counts, partition_limits
from shared_cluster import SharedCluster
from waiting import until

EXTENSION = "isotherm.per_partition_rate_limit"
BOTH = {"max_reads_per_second": 200, "max_writes_per_second": 100}
WHOLE_NUMBER = "allowed: a whole number from 0 to 2147483647"


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.session(0).execute("CREATE TABLE lab.t (key bigint PRIMARY KEY, value bigint)")
    return shared_cluster


@pytest.fixture
def in_lab(cluster: SharedCluster) -> Iterator[Session]:
    """A session that has said USE lab."""
    session = pinned(cluster.addresses[1])
    session.set_keyspace("lab")
    yield session
    session.cluster.shutdown()


def in_force(cluster: SharedCluster, table: str = "t") -> dict[str, int | bool] | None:
    """Return the table's limits, which must be the same on every node, now and not soon; None when it has none."""
    seen = [partition_limits(cluster.session(index), table) for index in range(3)]
    assert seen[0] == seen[1] == seen[2]
    return seen[0]


def described(session: Session, table: str = "t") -> str:
    return session.execute(f"DESCRIBE TABLE lab.{table}").one().create_statement


@pytest.mark.contract
@pytest.mark.parametrize(
    "query",
    [
        "ALTER TABLE lab.t WITH per_partition_rate_limit = {'max_writes_per_second': 100, 'max_reads_per_second': 200}",
        "alter table LAB.T with Per_Partition_RATE_limit={'max_writes_per_second':'100','max_reads_per_second':'200'};",
        "/* hot */ ALTER TABLE lab.t -- keys\nWITH\tper_partition_rate_limit // here\r\n =\n{ 'max_writes_per_second' :"
        "\n100 /* each */ , 'max_reads_per_second':200 } ;",
        'ALTER TABLE IF EXISTS "lab"."t" WITH gc_grace_seconds = 4711 AND "per_partition_rate_limit" ='
        " {'max_writes_per_second': 100, 'max_reads_per_second': 200} AND comment = 'per_partition_rate_limit'",
    ],
    ids=["plain", "letter case", "comments and spacing", "quoted, among others"],
)
def test_altered_it_is_in_force_everywhere_at_once(cluster: SharedCluster, query: str):
    session = cluster.session(2)
    session.execute("ALTER TABLE lab.t WITH per_partition_rate_limit = {}")
    assert in_force(cluster) is None
    session.execute(query)
    assert in_force(cluster) == BOTH | {"dry_run": False}
    if "4711" in query:
        row = session.execute(
            "SELECT * FROM system_schema.tables WHERE keyspace_name = 'lab' AND table_name = 't'"
        ).one()
        assert (row.gc_grace_seconds, row.comment) == (4711, "per_partition_rate_limit")


@pytest.mark.contract
def test_either_key_alone_and_a_dry_run(cluster: SharedCluster):
    session = cluster.session(0)
    session.execute("ALTER TABLE lab.t WITH per_partition_rate_limit = {'max_reads_per_second': 0}")
    assert in_force(cluster) == {"max_reads_per_second": 0, "dry_run": False}
    session.execute(
        "ALTER TABLE lab.t WITH per_partition_rate_limit = {'max_writes_per_second': 2147483647, 'dry_run': 'true'}"
    )
    assert in_force(cluster) == {"max_writes_per_second": 2147483647, "dry_run": True}


@pytest.mark.contract
def test_the_driver_hears_of_it(cluster: SharedCluster):
    session = cluster.session(1)
    # The keyspace was made anew through another session: of that the driver hears up to two seconds later.
    session.cluster.refresh_keyspace_metadata("lab")
    session.execute("ALTER TABLE lab.t WITH per_partition_rate_limit = {'max_reads_per_second': 5}")
    assert EXTENSION in session.cluster.metadata.keyspaces["lab"].tables["t"].extensions
    session.execute("ALTER TABLE lab.t WITH per_partition_rate_limit = {}")
    assert EXTENSION not in session.cluster.metadata.keyspaces["lab"].tables["t"].extensions


@pytest.mark.contract
def test_created_with_it_beside_other_options(cluster: SharedCluster):
    session = cluster.session(1)
    session.execute(
        "CREATE TABLE lab.made (key bigint, time bigint, value bigint, PRIMARY KEY (key, time))"
        " WITH CLUSTERING ORDER BY (time DESC) AND comment = 'x'"
        " AND per_partition_rate_limit = {'max_reads_per_second': 7} AND gc_grace_seconds = 8"
    )
    assert in_force(cluster, "made") == {"max_reads_per_second": 7, "dry_run": False}
    text = described(session, "made")
    assert "CLUSTERING ORDER BY (time DESC)" in text
    assert "comment = 'x'" in text and "gc_grace_seconds = 8" in text
    session.execute("CREATE TABLE IF NOT EXISTS lab.made (key bigint PRIMARY KEY) WITH per_partition_rate_limit = {}")
    with pytest.raises(AlreadyExists):
        session.execute("CREATE TABLE lab.made (key bigint PRIMARY KEY) WITH per_partition_rate_limit = {}")
    assert in_force(cluster, "made") == {"max_reads_per_second": 7, "dry_run": False}
    session.execute("DROP TABLE lab.made")
    assert in_force(cluster, "made") is None


@pytest.mark.contract
def test_prepared_and_without_the_name_of_the_keyspace(cluster: SharedCluster, in_lab: Session):
    create = in_lab.prepare(
        "CREATE TABLE prepared (key bigint PRIMARY KEY) WITH per_partition_rate_limit = {'max_reads_per_second': 3}"
    )
    alter = in_lab.prepare("ALTER TABLE prepared WITH per_partition_rate_limit = {'max_writes_per_second': 4}")
    for _ in range(2):
        in_lab.execute(create)
        assert in_force(cluster, "prepared") == {"max_reads_per_second": 3, "dry_run": False}
        in_lab.execute(alter)
        assert in_force(cluster, "prepared") == {"max_writes_per_second": 4, "dry_run": False}
        in_lab.execute("ALTER TABLE prepared WITH per_partition_rate_limit = {}")
        assert in_force(cluster, "prepared") is None
        in_lab.execute("DROP TABLE prepared")


@pytest.mark.contract
def test_other_changes_of_the_table_keep_it(cluster: SharedCluster):
    session = cluster.session(0)
    session.execute(f"ALTER TABLE lab.t WITH per_partition_rate_limit = {BOTH}")
    for change in (
        "ALTER TABLE lab.t WITH comment = 'other' AND gc_grace_seconds = 1",
        "ALTER TABLE lab.t WITH extensions = {'other': 0x01}",
        "ALTER TABLE lab.t ADD more bigint",
        "ALTER TABLE lab.t RENAME key TO id",
        "ALTER TABLE lab.t RENAME id TO key",
        "ALTER TABLE lab.t DROP more",
        "CREATE INDEX by_value ON lab.t (value)",
        "DROP INDEX lab.by_value",
        "TRUNCATE lab.t",
    ):
        session.execute(change)
        assert in_force(cluster) == BOTH | {"dry_run": False}, change


@pytest.mark.contract
@pytest.mark.parametrize(
    ("value", "kind", "sentence"),
    [
        ("{'max_reads_per_second': -1}", ConfigurationException,
         f"max_reads_per_second: -1 is refused; {WHOLE_NUMBER}"),
        ("{'max_writes_per_second': 2147483648}", ConfigurationException,
         f"max_writes_per_second: 2147483648 is refused; {WHOLE_NUMBER}"),
        ("{'max_reads_per_second': 1.5}", ConfigurationException,
         f"max_reads_per_second: 1.5 is refused; {WHOLE_NUMBER}"),
        ("{'max_reads_per_second': 'many'}", ConfigurationException,
         f"max_reads_per_second: many is refused; {WHOLE_NUMBER}"),
        ("{'max_reads': 1}", ConfigurationException,
         "max_reads: 1 is refused; allowed: the keys max_reads_per_second, max_writes_per_second, dry_run, fair_share,"
         " max_share"),
        ("{'dry_run': 'true'}", ConfigurationException,
         "dry_run: true is refused; allowed: only beside max_reads_per_second or max_writes_per_second"),
        ("{'max_reads_per_second': 1, 'dry_run': 'maybe'}", ConfigurationException,
         "dry_run: maybe is refused; allowed: 'true' or 'false'"),
        ("{'max_reads_per_second': 1} AND extensions = {'isotherm.per_partition_rate_limit': 0x00000000}",
         ConfigurationException, "per_partition_rate_limit is refused beside the extension"),
        ("{'max_reads_per_second': null}", SyntaxException, "max_reads_per_second"),
        ("{'max_reads_per_second': 1, 'max_reads_per_second': 2}", SyntaxException, "max_reads_per_second"),
        ("200", SyntaxException, "'per_partition_rate_limit'. It should be a map"),
        ("{} AND per_partition_rate_limit = {}", SyntaxException, "'per_partition_rate_limit'"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_what_is_allowed(cluster: SharedCluster, value: str, kind: type, sentence: str):
    session = cluster.session(0)
    session.execute(f"ALTER TABLE lab.t WITH per_partition_rate_limit = {BOTH}")
    with pytest.raises(kind) as refusal:
        session.execute(f"ALTER TABLE lab.t WITH comment = 'refused' AND per_partition_rate_limit = {value}")
    assert sentence in str(refusal.value)
    with pytest.raises(kind):
        session.execute(f"CREATE TABLE lab.refused (key bigint PRIMARY KEY) WITH per_partition_rate_limit = {value}")
    assert in_force(cluster) == BOTH | {"dry_run": False}
    assert "comment = 'refused'" not in described(session)
    assert "refused" not in [row.name for row in session.execute("DESCRIBE TABLES") if row.keyspace_name == "lab"]


@pytest.mark.contract
@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ("lab.missing", InvalidRequest),
        ("system.local", Unauthorized),
        ("system_auth.roles", Unauthorized),
        ("isotherm.heat", InvalidRequest),
    ],
)
def test_only_tables_of_the_user_are_limited(cluster: SharedCluster, table: str, kind: type):
    with pytest.raises(kind):
        cluster.session(0).execute(f"ALTER TABLE {table} WITH per_partition_rate_limit = {BOTH}")
    cluster.session(0).execute("ALTER TABLE IF EXISTS lab.missing WITH per_partition_rate_limit = {}")


@pytest.mark.contract
def test_the_output_of_describe_restores_it(cluster: SharedCluster):
    session = cluster.session(0)
    session.execute(f"ALTER TABLE lab.t WITH per_partition_rate_limit = {BOTH | {'dry_run': 'true'}}")
    session.execute("CREATE TABLE lab.unlimited (key bigint PRIMARY KEY)")
    statements = [row.create_statement for row in cluster.session(2).execute("DESCRIBE KEYSPACE lab")]
    assert any(EXTENSION in statement for statement in statements)
    session.execute("DROP KEYSPACE lab")
    assert in_force(cluster) is None
    for statement in statements:
        session.execute(statement)
    assert in_force(cluster) == BOTH | {"dry_run": True}
    assert in_force(cluster, "unlimited") is None
    session.execute("ALTER TABLE lab.t WITH per_partition_rate_limit = {}")
    assert in_force(cluster) is None
    assert EXTENSION not in described(session)


def test_a_restarted_node_knows_what_was_and_what_it_missed(cluster: SharedCluster, in_lab: Session):
    """Also the statement that was prepared on it before it restarted."""
    session = cluster.session(0)
    session.execute(f"ALTER TABLE lab.t WITH per_partition_rate_limit = {BOTH}")
    again = in_lab.prepare("ALTER TABLE t WITH per_partition_rate_limit = {'max_reads_per_second': 6}")

    def meanwhile() -> None:
        session.execute("ALTER TABLE lab.unlimited WITH per_partition_rate_limit = {'max_writes_per_second': 9}")

    mark = LogMark.end_of(cluster.nodes[1])
    cluster.restart(1, meanwhile)
    assert in_force(cluster) == BOTH | {"dry_run": False}
    # Cassandra asks its peers for the schema it missed, and serves meanwhile.
    until(lambda: partition_limits(cluster.session(1), "unlimited"), "node 2 has the schema it missed", timeout_s=60)
    assert in_force(cluster, "unlimited") == {"max_writes_per_second": 9, "dry_run": False}
    cluster.session(1).execute(again.bind(()))
    assert in_force(cluster) == {"max_reads_per_second": 6, "dry_run": False}
    assert mark.complaints() == []


@pytest.mark.contract
def test_nothing_of_ours_failed(cluster: SharedCluster):
    for index in range(3):
        assert counts(cluster.session(index))["Failures"] == 0
