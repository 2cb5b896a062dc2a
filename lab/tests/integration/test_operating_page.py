# SPDX-License-Identifier: Apache-2.0
"""The operator's page, typed as it stands on a cluster of plain nodes under load: installed, upgraded, off, removed.

Beside it a plain rolling restart under the same clients, of two kinds. It takes a quarter of an hour; its command is
make rolling.
"""

import io
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cassandra.cluster import Cluster as Client
from earlier_build import earlier_archive
from installed_cluster import ADDRESSES, InstalledCluster
from isotherm_packages import tarball
from isotherm_packages.files import Project
from java_registers import JavaRegisters
from operators_page import alters, commands, page, section, switches
from register_load import RegisterLoad
from rich.console import Console
from rolling_passes import Pass, accounts, excesses, table
from waiting import until

from isotherm_lab.cluster.classpath import plugin_jar
from isotherm_lab.cluster.configuration import DATACENTER
from isotherm_lab.load.register_clients import KEYS, TABLE
from isotherm_lab.measure import summary
from isotherm_lab.measure.histories import Operation, violations
from isotherm_lab.paths import project_root, results_directory

PLAIN = "plain restart"
STARTED = "Isotherm for Cassandra 5.0 started"
SEED = 17


def unpacked(folder: Path) -> Path:
    """Return the unpacked archive of the present build."""
    jar = plugin_jar()
    project = Project(project_root(), jar, jar.stem.removeprefix("isotherm-"))
    with tarfile.open(fileobj=io.BytesIO(tarball.content(project))) as archive:
        archive.extractall(folder, filter="tar")
    return folder / f"isotherm-{project.version}"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[InstalledCluster]:
    """Three plain nodes with a table."""
    with InstalledCluster(tmp_path) as installed:
        client = Client(ADDRESSES, connect_timeout=30, control_connection_timeout=30)
        try:
            session = client.connect()
            session.execute(
                "CREATE KEYSPACE lab WITH replication ="
                f" {{'class': 'NetworkTopologyStrategy', '{DATACENTER}': {len(ADDRESSES)}}}"
            )
            session.execute(f"CREATE TABLE {TABLE} (key bigint PRIMARY KEY, value bigint)")
        finally:
            client.shutdown()
        yield installed


class Operator:
    """Follows the page, node by node."""

    def __init__(self, cluster: InstalledCluster):
        self._cluster = cluster
        self._with_plugin: set[int] = set()

    def installs(self, name: str, archive: Path) -> Pass:
        """Install the archive's build on every node, or upgrade to it."""
        dry, install, wait = commands(section(page(), "Install, one node after the other"))

        def before(index: int) -> None:
            self._names_what_it_would_do(index, archive, dry)
            self._cluster.types(index, archive, install)

        def after(index: int) -> None:
            assert STARTED in self._cluster.nodes[index].log_tail(lines=2000)
            self._cluster.types(index, archive, wait)
            self._with_plugin.add(index)
            self.nothing_is_misunderstood()

        return self._cluster.roll(name, before, after)

    def nothing_is_misunderstood(self) -> None:
        """Assert that no node with the plugin has failed, or dropped what another told it."""
        for index in self._with_plugin:
            counts = self._cluster.counts(index)
            complaints = {name: counts[name] for name in counts if name == "Failures" or name.endswith("Malformed")}
            assert complaints
            assert not any(complaints.values()), (index, complaints)

    def removes(self, archive: Path) -> Pass:
        """Remove the plugin from every node."""
        dry, remove = commands(section(page(), "Remove"))

        def before(index: int) -> None:
            self._names_what_it_would_do(index, archive, dry)
            self._cluster.types(index, archive, remove)

        return self._cluster.roll("remove", before, lambda index: None)

    def switches_off(self) -> None:
        """Switch everything off on every node."""
        statements = switches(section(page(), "Switch off in a hurry"))
        for index in range(len(ADDRESSES)):
            for statement in statements:
                self._cluster.cql(index, statement)
            features = {name: value for name, value in self._cluster.settings(index).items() if ".enabled" in name}
            assert features == dict.fromkeys(features, "false")
            assert len(features) == len(statements)

    def _names_what_it_would_do(self, index: int, archive: Path, dry: str) -> None:
        files = self._cluster.layouts[index].files()
        assert "would " in self._cluster.types(index, archive, dry)
        assert self._cluster.layouts[index].files() == files


def test_the_page_on_a_cluster_under_load(cluster: InstalledCluster, tmp_path: Path) -> None:
    earlier, archive = earlier_archive(tmp_path / "earlier"), unpacked(tmp_path / "archive")
    before = [layout.files() for layout in cluster.layouts]
    operator = Operator(cluster)
    with RegisterLoad(ADDRESSES, SEED) as python, JavaRegisters(ADDRESSES, TABLE, SEED) as java:

        def both_run() -> None:
            so_far = len(python.history()), len(java.history())
            until(lambda: len(python.history()) > so_far[0] + 10 * KEYS, "the Python client runs", 60)
            until(lambda: len(java.history()) > so_far[1] + 10 * KEYS, "the Java client runs", 60)

        both_run()
        passes = [cluster.roll(PLAIN, lambda index: None, lambda index: None)]
        passes.append(operator.installs("install", earlier))
        steady = time.monotonic()
        assert all(cluster.settings(index)["heat.enabled"] == "true" for index in range(3))
        dry, limited, unlimited = alters(TABLE)
        cluster.cql(0, dry)
        both_run()
        cluster.cql(1, limited)
        both_run()
        passes.append(Pass("limits", steady, time.monotonic(), ()))

        passes.append(operator.installs("upgrade", archive))
        jars = [[jar.name for jar in layout.home.glob("lib/isotherm-*")] for layout in cluster.layouts]
        assert jars == [[plugin_jar().name]] * 3

        steady = time.monotonic()
        operator.switches_off()
        both_run()
        operator.nothing_is_misunderstood()
        cluster.cql(2, unlimited)
        passes.append(Pass("off", steady, time.monotonic(), ()))

        passes.append(operator.removes(archive))
        steady = time.monotonic()
        assert [layout.files() for layout in cluster.layouts] == before
        both_run()
        passes.append(Pass("removed", steady, time.monotonic(), ()))

    histories: dict[str, list[Operation]] = {"Python driver": python.history(), "Java driver": java.history()}
    found = accounts(passes, histories)
    wrong = [sentence for history in histories.values() for sentence in violations(history)]
    content = {"passes": found, "violations": len(wrong)}
    print(f"The numbers are in {summary.write(results_directory() / 'rolling', content)}")
    Console(width=118).print(table(found))
    assert wrong == []
    assert excesses(found, PLAIN) == []
