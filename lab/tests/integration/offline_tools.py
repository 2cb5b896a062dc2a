# SPDX-License-Identifier: Apache-2.0
"""Cassandra's offline tools, run on a copy of a node's files with and without the plugin."""

import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml
from cassandra.cluster import Session

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.classpath import loader_class_path
from isotherm_lab.cluster.node import Node

_TOOLS = "org.apache.cassandra.tools"
_HANDLER = "-Dcassandra.custom_query_handler_class="
#: What an operator may write into jvm-clients.options, which Cassandra's scripts give to the tools.
AS_A_NODE = f"{_HANDLER}dev.isotherm.IsothermQueryHandler"
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
#: The class of sstableloader, which needs a node, or says that there is none.
LOADER = "BulkLoader"

#: Those that are tested: all on a release that was chosen, as the matrix does; else one that reads the configuration
#: as a server does, and one that reads it as a client.
TESTED = tuple(TOOLS) if releases.chosen() else ("sstableverify", "sstabledump")


@dataclass(frozen=True)
class Installation:
    """A node's files, copied, with or without the plugin in its cassandra.yaml."""

    node: Node
    directory: Path
    #: The lines of jvm-clients.options.
    options: Sequence[str] = ()

    def run(self, tool: str, *arguments: str, without: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """Run one of the tools, or any of Cassandra's main classes, as its script does.

        `without` are words of the tool's arguments that its release does not know.
        """
        main, given = TOOLS.get(tool, (tool, []))
        words = [word for word in given if word not in without]
        data = [str(self.data_file()) if word == DATA else word for word in [*words, *arguments]]
        command = [
            # The tools' scripts do not set the query handler of themselves.
            *(word.replace(str(self.node.directory), str(self.directory)) for word in self.node.command[:-1]
              if not word.startswith(_HANDLER)),
            *self.options,
            f"{_TOOLS}.{main}",
            *data,
        ]  # fmt: skip
        return subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=120, check=False)

    def load(self, source: Path) -> subprocess.CompletedProcess[str]:
        """Run sstableloader, which is to send the files of this folder to the node."""
        path = self.node.command.index("-cp") + 1
        command = list(self.node.command)
        command[path] = ":".join(loader_class_path(command[path].split(":")))
        able = replace(self, node=Node(self.node.address, self.node.directory, command))
        return able.run(LOADER, "-d", self.node.address, str(source))

    def data_file(self) -> Path:
        """Return a data file of the table."""
        return next((self.directory / "data" / "data" / KEYSPACE).glob(f"{TABLE}-*/*-Data.db"))


def is_in(tool: str, class_path: Sequence[str]) -> bool:
    """Whether the release of Cassandra on the class path has the tool."""
    own = next(jar for jar in class_path if Path(jar).name.startswith("cassandra-all-"))
    with zipfile.ZipFile(own) as classes:
        return f"{_TOOLS.replace('.', '/')}/{TOOLS.get(tool, (tool,))[0]}.class" in classes.namelist()


def fill(session: Session, rows: int) -> dict[int, int]:
    """Create the table, and return the rows that it then has."""
    session.execute(
        f"CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
    )
    session.execute(f"CREATE TABLE {KEYSPACE}.{TABLE} (k int PRIMARY KEY, v int)")
    insert = session.prepare(f"INSERT INTO {KEYSPACE}.{TABLE} (k, v) VALUES (?, ?) USING TIMESTAMP 1")
    filled = {key: 7 * key for key in range(rows)}
    for row in filled.items():
        session.execute(insert, row)
    return filled


def copied(node: Node, directory: Path) -> Installation:
    """Return a copy of the node's files, which a tool may change."""
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


def load_outcomes(node: Node, place: Path) -> Iterator[subprocess.CompletedProcess[str]]:
    """Yield how sstableloader ends while the node is stopped: without the plugin, and with it."""
    source = to_load(copied(node, place), place.parent)
    yield without_plugin(copied(node, place)).load(source)
    shutil.rmtree(place)
    yield copied(node, place).load(source)


def to_load(installation: Installation, folder: Path) -> Path:
    """Return a copy of the table's files, below folders that are named as sstableloader wants it."""
    source = folder / "load" / KEYSPACE / TABLE
    shutil.copytree(installation.data_file().parent, source)
    return source


def outcomes(
    node: Node, tool: str, place: Path, without: Sequence[str] = ()
) -> Iterator[subprocess.CompletedProcess[str]]:
    """Yield how a tool ends without the plugin, with it, and with the query handler in jvm-clients.options too.

    All run in the same place, so that words can be compared.
    """
    yield without_plugin(copied(node, place)).run(tool, without=without)
    for options in ((), (AS_A_NODE,)):
        shutil.rmtree(place)
        yield replace(copied(node, place), options=options).run(tool, without=without)
