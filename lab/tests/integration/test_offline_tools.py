# SPDX-License-Identifier: Apache-2.0
"""Cassandra's offline tools do with the plugin installed what they do without it."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from cassandra.cluster import Cluster as Client
from single_node import single_node

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node

_TOOLS = "org.apache.cassandra.tools"
_HANDLER = "-Dcassandra.custom_query_handler_class="
_ROWS = 50
KEYSPACE, TABLE = "tools", "t"
DATA = "DATA"

#: Each tool's class and its arguments; DATA is a data file of the table.
TOOLS = {
    "sstableverify": ("StandaloneVerifier", ["-f", KEYSPACE, TABLE]),
    "sstablescrub": ("StandaloneScrubber", [KEYSPACE, TABLE]),
    "sstableupgrade": ("StandaloneUpgrader", [KEYSPACE, TABLE]),
    "sstableutil": ("StandaloneSSTableUtil", [KEYSPACE, TABLE]),
    "sstablelevelreset": ("SSTableLevelResetter", ["--really-reset", KEYSPACE, TABLE]),
    "sstableexpiredblockers": ("SSTableExpiredBlockers", [KEYSPACE, TABLE]),
    "sstableofflinerelevel": ("SSTableOfflineRelevel", ["--dry-run", KEYSPACE, TABLE]),
    "sstablesplit": ("StandaloneSplitter", ["--no-snapshot", DATA]),
    "sstablerepairedset": ("SSTableRepairedAtSetter", ["--really-set", "--is-unrepaired", DATA]),
    "sstabledump": ("SSTableExport", [DATA]),
    "sstablemetadata": ("SSTableMetadataViewer", [DATA]),
    "sstablepartitions": ("SSTablePartitions", [DATA]),
    "generatetokens": ("GenerateTokens", ["-n", "2", "-t", "4", "--rf", "1"]),
}


@dataclass(frozen=True)
class Installation:
    """A node's files, copied, with or without the plugin in its cassandra.yaml."""

    node: Node
    directory: Path

    def run(self, tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of the tools, or any of Cassandra's main classes, as its script does."""
        main, given = TOOLS.get(tool, (tool, []))
        data = [str(self.data_file()) if word == DATA else word for word in [*given, *arguments]]
        command = [
            # The tools' scripts do not set the query handler.
            *(word.replace(str(self.node.directory), str(self.directory)) for word in self.node.command[:-1]
              if not word.startswith(_HANDLER)),
            f"{_TOOLS}.{main}",
            *data,
        ]  # fmt: skip
        return subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=120, check=False)

    def data_file(self) -> Path:
        """Return a data file of the table."""
        return next((self.directory / "data" / "data" / KEYSPACE).glob(f"{TABLE}-*/*-Data.db"))


@pytest.fixture(scope="module")
def filled() -> Iterator[Cluster]:
    """A node with the plugin, with rows of a table on its disk, in order stopped."""
    with single_node("isotherm") as cluster:
        cluster.start()
        client = Client(cluster.contact_points(), connect_timeout=30)
        try:
            session = client.connect()
            session.execute(
                f"CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
            )
            session.execute(f"CREATE TABLE {KEYSPACE}.{TABLE} (k int PRIMARY KEY, v int)")
            insert = session.prepare(f"INSERT INTO {KEYSPACE}.{TABLE} (k, v) VALUES (?, ?) USING TIMESTAMP 1")
            for key in range(_ROWS):
                session.execute(insert, (key, 7 * key))
        finally:
            client.shutdown()
        cluster.nodes[0].stop()
        yield cluster


def copied(cluster: Cluster, directory: Path) -> Installation:
    """Return a copy of the node's files, which a tool may change."""
    node = cluster.nodes[0]
    shutil.copytree(node.directory, directory, dirs_exist_ok=True)
    file = directory / "conf" / "cassandra.yaml"
    file.write_text(file.read_text().replace(str(node.directory), str(directory)))
    return Installation(node, directory)


def without_plugin(installation: Installation) -> Installation:
    """Give the copy the snitch that it had before the plugin came."""
    file = installation.directory / "conf" / "cassandra.yaml"
    settings = yaml.safe_load(file.read_text())
    settings["endpoint_snitch"] = "GossipingPropertyFileSnitch"
    file.write_text(yaml.safe_dump(settings))
    return installation


def comparable(output: str) -> list[str]:
    """Return the lines of a tool's output, with a word in the place of each instant, duration and random token."""
    return re.sub(r"-?\d{10,}|\d+(\.\d+)? ?(ms|s)\b", "NUMBER", output).splitlines()


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_ends_as_it_does_without_the_plugin(filled: Cluster, tmp_path: Path, tool: str) -> None:
    # In the same place, so that their words can be compared.
    place = tmp_path / "node"
    stock = without_plugin(copied(filled, place)).run(tool)
    shutil.rmtree(place)
    installed = copied(filled, place).run(tool)
    assert stock.returncode == 0, stock.stdout + stock.stderr
    assert installed.returncode == 0, installed.stdout + installed.stderr
    assert comparable(installed.stdout) == comparable(stock.stdout)
    assert "isotherm" not in installed.stderr


def test_a_tool_does_not_ask_for_the_file(filled: Cluster, tmp_path: Path) -> None:
    installation = copied(filled, tmp_path / "node")
    (installation.directory / "conf" / "isotherm.yaml").unlink()
    dumped = installation.run("sstableverify")
    assert dumped.returncode == 0, dumped.stdout + dumped.stderr


def test_sstableloader_loads_into_a_node_with_the_plugin(filled: Cluster, tmp_path: Path) -> None:
    installation = copied(filled, tmp_path / "node")
    source = tmp_path / "load" / KEYSPACE / TABLE
    shutil.copytree(installation.data_file().parent, source)
    filled.start()
    node = filled.nodes[0]
    client = Client([node.address], connect_timeout=30)
    try:
        session = client.connect()
        session.execute(f"TRUNCATE {KEYSPACE}.{TABLE}")
        loaded = installation.run("BulkLoader", "-d", node.address, str(source))
        assert loaded.returncode == 0, loaded.stdout + loaded.stderr
        rows = {row.k: row.v for row in session.execute(f"SELECT k, v FROM {KEYSPACE}.{TABLE}")}
        assert rows == {key: 7 * key for key in range(_ROWS)}
    finally:
        client.shutdown()
        node.stop()
