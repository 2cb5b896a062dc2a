# SPDX-License-Identifier: Apache-2.0
"""While Cassandra is upgraded from 4.1 to the release of the pom, nodes of both lines understand each other."""

from collections.abc import Iterator

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from partition_limits import CLOSED, RateLimited, limit
from plugin_views import LogMark, heat
from shared_cluster import FIRST_ADDRESS, KEYSPACE, PATIENT, PLUGIN, ROW_CACHE, TABLE_OPTIONS, SharedCluster
from waiting import until

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.classpath import cassandra_class_path
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.variants import variant
from isotherm_lab.paths import working_directory

FROM = "4.1.10"
NODES = range(3)
#: The shared cluster may run at the same time.
SHARED_NODES = 3
UPGRADED = 1
KEYS = range(60)
#: Nodes of 4.1 and of 5.0 do not agree on the schema of Cassandra's own tables: what the tests need is there before.
TABLES = {
    "cached": f"(key bigint PRIMARY KEY, value bigint) WITH {TABLE_OPTIONS} AND {ROW_CACHE}",
    "closed": f"(key bigint PRIMARY KEY, value bigint) WITH {TABLE_OPTIONS} AND {limit(writes=CLOSED)}",
    "counted": f"(key bigint PRIMARY KEY, value counter) WITH {TABLE_OPTIONS}",
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[SharedCluster]:
    """Three nodes with the plugin, two replicas of each row, the second node upgraded."""
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setenv(releases.VARIABLE, FROM)
        made = Cluster.create(
            "two-lines", [variant(PLUGIN)] * len(NODES), first_address=FIRST_ADDRESS + SHARED_NODES,
            overrides={"row_cache_size": "32MiB"} | PATIENT, heat_source="cache",
            isotherm_overrides={"heat": {"smoothing": "500ms"}, "guard": {"enabled": False}},
        )  # fmt: skip
    with made:
        made.start()
        shared = SharedCluster(made)
        try:
            session = shared.fresh_keyspace(replication=2)
            for table, definition in TABLES.items():
                session.execute(f"CREATE TABLE {KEYSPACE}.{table} {definition}")
            for key in KEYS:
                session.execute(f"INSERT INTO {KEYSPACE}.cached (key, value) VALUES ({key}, {key})")
            shared.restart(UPGRADED, lambda: upgrade(shared.nodes[UPGRADED]))
            yield shared
        finally:
            shared.close()


def upgrade(node: Node) -> None:
    """Have a stopped node start as the release that the pom names, with the same configuration and the same plugin."""
    command = [word for word in node.command if not word.startswith("-javaagent:")]
    place = command.index("-cp") + 1
    own = [entry for entry in command[place].split(":") if entry.startswith(str(working_directory()))]
    command[place] = ":".join([*own, *cassandra_class_path()])
    node.command = command


def test_the_nodes_are_of_both_lines(cluster: SharedCluster) -> None:
    ran = [cluster.session(node).execute("SELECT release_version FROM system.local").one()[0] for node in NODES]
    assert [releases.line_of(release) for release in ran] == ["4.1", "5.0", "4.1"]


def test_every_node_knows_the_heat_of_every_other(cluster: SharedCluster) -> None:
    def told() -> bool:
        for node in NODES:
            cluster.read(node, "cached", KEYS, ConsistencyLevel.ALL)
        seen = [heat(cluster.session(node), "cached") for node in NODES]
        return all(
            set(rows) == set(cluster.addresses) and all(row.source == "cache" for row in rows.values()) for rows in seen
        )

    until(told, "all know the heat of all")


@pytest.mark.parametrize("coordinator", NODES)
def test_a_limit_holds_whoever_coordinates_and_whoever_decides(cluster: SharedCluster, coordinator: int) -> None:
    session = cluster.session(coordinator)
    for key in KEYS:
        with pytest.raises(RateLimited, match=r"lab\.closed"):
            session.execute(f"INSERT INTO {KEYSPACE}.closed (key, value) VALUES ({key}, 1)")


def test_counter_updates_are_counted_once_each(cluster: SharedCluster) -> None:
    for coordinator in NODES:
        for key in KEYS:
            cluster.session(coordinator).execute(f"UPDATE {KEYSPACE}.counted SET value = value + 1 WHERE key = {key}")
    for reader in NODES:
        everything = SimpleStatement(
            f"SELECT key, value FROM {KEYSPACE}.counted", consistency_level=ConsistencyLevel.ALL
        )
        rows = cluster.session(reader).execute(everything)
        assert {row.key: row.value for row in rows} == dict.fromkeys(KEYS, len(NODES))


def test_nobody_complains(cluster: SharedCluster) -> None:
    cluster.assert_nothing_failed(LogMark(node, 0) for node in cluster.nodes)
