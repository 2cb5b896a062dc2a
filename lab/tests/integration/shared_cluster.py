# SPDX-License-Identifier: Apache-2.0
"""The cluster of three nodes that most of these tests share.

It lives through all of them: the plugin on one node, installed on the others one by one, nodes that restart and die,
and the plugin's removal.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Any

from cassandra import ConsistencyLevel
from cassandra.cluster import Session
from cassandra.metadata import Murmur3Token
from coordinators import SCHEMA_S, Coordinators, execute_all
from plugin_views import LogMark, counts

from isotherm_lab.cluster import configuration
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.variants import variant
from isotherm_lab.data.partition_table import SLOW_WRITES

#: Other clusters may use 127.0.0.1 and up at the same time.
FIRST_ADDRESS = int(os.environ.get("ISOTHERM_LAB_FIRST_ADDRESS", "1"))
STOCK = "cassandra-static"
PLUGIN = "isotherm"
#: What a module may say that it begins with: the plugin on node 1 only, and on every node.
FIRST_NODE_ONLY = (PLUGIN, STOCK, STOCK)
EVERY_NODE = (PLUGIN, PLUGIN, PLUGIN)
KEYSPACE = "lab"
#: Speculation would add requests of its own to those that are counted.
TABLE_OPTIONS = "speculative_retry = 'NEVER'"
ROW_CACHE = "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}"

#: What is acknowledged survives kill -9 on its node, so that a lost write is a fault and not Cassandra's bargain.
_DURABLE = {"commitlog_sync": "batch", "commitlog_sync_period": "0ms"}
#: Each write waits for a disk that all nodes share, each read for processors; where that takes longer than Cassandra's
#: two and five seconds, nothing of what these tests are about has happened.
PATIENT = {
    "read_request_timeout": "10s",
    "write_request_timeout": "10s",
    "counter_write_request_timeout": "10s",
    "cas_contention_timeout": "10s",
}
_CASSANDRA = {
    "row_cache_size": "32MiB",
    # The default one may keep a row that a write has overtaken: see RowCacheProvidersInNodeTest.
    "row_cache_class_name": "org.apache.cassandra.cache.SerializingCacheProvider",
    # A table with a view sends each of its writes through the batch log.
    "materialized_views_enabled": True,
    "hints_flush_period": "500ms",
    **SLOW_WRITES,
    **_DURABLE,
    **PATIENT,
}
_ISOTHERM = {
    # It prefers whoever was quick of late, and tests that count contacts would fail.
    "dynamic_snitch": False,
    # A short memory, so that tests need not wait for it; under affinity no read wanders, so that its pairs are exact.
    # What is cold of a table so small is its part of the row cache alone: its files are in the page cache.
    "heat": {"source": "cache", "smoothing": "500ms", "wandering": 0.0},
    # A node that pauses on a busy machine would lose reads to others, and tests that count contacts would fail.
    "guard": {"enabled": False},
    # Copies of reads would add to those that are counted.
    "warming": {"enabled": False},
}


class SharedCluster:
    """The cluster, its sessions, and the steps between the tests."""

    def __init__(self, cluster: Cluster):
        self.cluster = cluster
        self.coordinators = Coordinators()

    @classmethod
    def begin(cls, variants: Sequence[str], **cassandra: Any) -> "SharedCluster":
        """Start the cluster with nodes of these variants; `cassandra` overrides keys of cassandra.yaml."""
        cluster = Cluster.create(
            "integration", [variant(name) for name in variants], overrides=_CASSANDRA | cassandra,
            isotherm_overrides=_ISOTHERM, first_address=FIRST_ADDRESS,
        )  # fmt: skip
        cluster.start()
        return cls(cluster)

    @property
    def nodes(self) -> list[Node]:
        return self.cluster.nodes

    @property
    def addresses(self) -> list[str]:
        return self.cluster.contact_points()

    def session(self, index: int) -> Session:
        """Return the session whose coordinator is this node."""
        return self.coordinators.at(self.addresses[index])

    def have(self, variants: Sequence[str]) -> None:
        """Restart, one after the other, the nodes that are not of these variants."""
        for index, name in enumerate(variants):
            if self.cluster.variants[index] != name:
                self.install(index, name)

    def install(self, index: int, name: str) -> None:
        """Restart one node as another variant, in order, and wait until all see each other."""
        self.restart(index, lambda: self.cluster.change_variant(index, variant(name)))

    def restart(self, index: int, between=lambda: None, end=Node.stop) -> None:
        """Stop a node, do something with it, start it, and wait until all see each other."""
        node = self.nodes[index]
        self.coordinators.forget(node.address)
        end(node)
        between()
        node.start()
        self.cluster.save()
        node.wait_until_answers()
        self.cluster.order("peers", str(len(self.nodes)))
        self.coordinators.wait_until_up(self.addresses)

    def fresh_keyspace(self, replication: int) -> Session:
        """Drop and create the keyspace; return the session of the first node, which knows its replicas."""
        session = self.session(0)
        self.coordinators.wait_until_up(node.address for node in self.nodes if node.is_running())
        # Nodes flush and remove files first, on one disk.
        session.execute(f"DROP KEYSPACE IF EXISTS {KEYSPACE}", timeout=SCHEMA_S)
        session.execute(
            f"CREATE KEYSPACE {KEYSPACE} WITH replication ="
            f" {{'class': 'NetworkTopologyStrategy', '{configuration.DATACENTER}': {replication}}}"
        )
        return session

    def fill(self, table: str, keys: Sequence[int], options: str = "") -> None:
        """Create a table of one row for each key, written on every replica."""
        session = self.session(0)
        more = f" AND {options}" if options else ""
        session.execute(
            f"CREATE TABLE {KEYSPACE}.{table} (key bigint PRIMARY KEY, value bigint) WITH {TABLE_OPTIONS}{more}"
        )
        insert = session.prepare(f"INSERT INTO {KEYSPACE}.{table} (key, value) VALUES (?, ?)")
        execute_all(session, insert, [(key, key) for key in keys], ConsistencyLevel.ALL)

    def read(self, index: int, table: str, keys: Sequence[int], level: int = ConsistencyLevel.ONE) -> None:
        """Read these keys through one coordinator; the first failure is raised."""
        session = self.session(index)
        select = session.prepare(f"SELECT value FROM {KEYSPACE}.{table} WHERE key = ?")
        execute_all(session, select, [(key,) for key in keys], level)

    def replicas_of(self, key: int) -> set[str]:
        """Return the addresses of a key's replicas."""
        metadata = self.session(0).cluster.metadata
        token = Murmur3Token(Murmur3Token.hash_fn(key.to_bytes(8, "big", signed=True)))
        return {host.address for host in metadata.token_map.get_replicas(KEYSPACE, token)}

    def assert_nothing_failed(self, marks: Iterable[LogMark]) -> None:
        """Assert that on the nodes of these marks the plugin counts no failure, and nobody has complained since."""
        for mark in marks:
            index = self.nodes.index(mark.node)
            if variant(self.cluster.variants[index]).plugin:
                assert counts(self.session(index))["Failures"] == 0, mark.node.address
            complaints = mark.complaints()
            assert complaints == [], complaints

    def close(self) -> None:
        """Close the sessions; the cluster is stopped by its own `with`."""
        self.coordinators.close()
