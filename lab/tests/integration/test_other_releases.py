# SPDX-License-Identifier: Apache-2.0
"""On a release of Cassandra that it does not know, the plugin stays out of the way: the node serves as stock."""

from collections.abc import Iterator
from pathlib import Path

import lacking
import pytest
import yaml
from cassandra import InvalidRequest
from cassandra.cluster import Session
from cassandra.protocol import ConfigurationException, SyntaxException
from cassandra.query import BatchStatement
from coordinators import pinned
from offline_tools import LOADER, TESTED, comparable, fill, is_in, load_outcomes, outcomes
from other_release import OtherRelease
from shared_cluster import PLUGIN

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.classpath import release_class_path

pytestmark = [pytest.mark.out_of_the_way, pytest.mark.long]

CHOSEN = releases.chosen()
#: The newest release of the newest line.
LAST = "6.0-alpha2"
#: The release that was chosen; without one, the newest of each line that the plugin does not know, and one of a line of
#: which it knows later ones.
RELEASES = [CHOSEN] if CHOSEN and not releases.is_known(CHOSEN) else ["4.0.19", "4.1.0", LAST]


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> Iterator[OtherRelease]:
    """The running node, installed as the documents say."""
    with OtherRelease.installed(request.param) as node:
        node.start()
        yield node


@pytest.fixture(scope="module")
def session(release: OtherRelease) -> Iterator[Session]:
    session = pinned(release.address)
    try:
        session.execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        session.execute("CREATE TABLE ks.t (k int PRIMARY KEY, v int)")
        session.execute("CREATE TABLE ks.c (k int PRIMARY KEY, n counter)")
        yield session
    finally:
        session.cluster.shutdown()


def test_the_log_says_so_once(release: OtherRelease, session: Session) -> None:
    lines = [line for line in release.log().splitlines() if " dev.isotherm - " in line]
    assert len(lines) == 1, lines
    assert lines[0].startswith("WARN")
    assert f"does not know Cassandra {release.name}" in lines[0]
    # It makes one on the others.
    assert ("without a dynamic snitch" in lines[0]) == release.name.startswith("6.")


def test_statements_of_each_kind_are_served(session: Session) -> None:
    insert = session.prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)")
    session.execute(insert, (1, 10))
    session.execute("INSERT INTO ks.t (k, v) VALUES (2, 20)")
    session.execute(
        "BEGIN BATCH INSERT INTO ks.t (k, v) VALUES (3, 30); UPDATE ks.t SET v = 40 WHERE k = 4; APPLY BATCH"
    )
    batch = BatchStatement()
    for key in (5, 6):
        batch.add(insert, (key, 10 * key))
    session.execute(batch)
    assert not session.execute("INSERT INTO ks.t (k, v) VALUES (1, 11) IF NOT EXISTS").was_applied
    session.execute("UPDATE ks.c SET n = n + 2 WHERE k = 1")
    assert {row.k: row.v for row in session.execute("SELECT k, v FROM ks.t")} == {k: 10 * k for k in range(1, 7)}
    assert session.execute("SELECT n FROM ks.c WHERE k = 1").one().n == 2


def test_datacenter_and_rack_are_those_of_the_operators_snitch(session: Session) -> None:
    row = session.execute("SELECT data_center, rack FROM system.local").one()
    assert (row.data_center, row.rack) == ("dc1", "rack1")


def test_nothing_of_the_plugin_is_there(session: Session) -> None:
    with pytest.raises((InvalidRequest, ConfigurationException)):
        session.execute("SELECT * FROM isotherm.settings")
    with pytest.raises((SyntaxException, InvalidRequest, ConfigurationException)) as refused:
        session.execute("ALTER TABLE ks.t WITH per_partition_rate_limit = {'max_reads_per_second': 1}")
    assert "per_partition_rate_limit" in str(refused.value)


@pytest.fixture(scope="module")
def stopped(release: OtherRelease, session: Session) -> OtherRelease:
    """The node with rows of a table on its disk, in order stopped: after this it serves no test."""
    fill(session, rows=50)
    release.node.stop()
    return release


@pytest.mark.parametrize("tool", TESTED)
def test_a_tool_ends_as_it_does_without_the_plugin(stopped: OtherRelease, tmp_path: Path, tool: str) -> None:
    if not is_in(tool, release_class_path(stopped.name)):
        pytest.skip(f"Cassandra {stopped.name} has no {tool}")
    stock, *installed = outcomes(stopped.node, tool, tmp_path / "node", without=stopped.unknown_options())
    assert stock.returncode == 0, stock.stdout + stock.stderr
    assert len(installed) == 2
    for ended in installed:
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert comparable(ended.stdout) == comparable(stock.stdout)


def test_sstableloader_finds_no_node_as_it_does_without_the_plugin(stopped: OtherRelease, tmp_path: Path) -> None:
    """It reads the configuration, takes stock of the files, and then wants to connect."""
    if not is_in(LOADER, release_class_path(stopped.name)):
        pytest.skip(f"Cassandra {stopped.name} has no sstableloader")
    stock, installed = load_outcomes(stopped.node, tmp_path / "node")
    assert stock.returncode == installed.returncode == 1, stock.stdout + stock.stderr
    assert "All host(s) tried for query failed" in stock.stderr
    assert comparable(installed.stderr) == comparable(stock.stderr)
    assert comparable(installed.stdout) == comparable(stock.stdout)


@pytest.mark.skipif(CHOSEN not in lacking.documented(), reason="the documents say of other releases what they lack")
def test_what_the_release_lacks_is_documented() -> None:
    assert lacking.rows(str(CHOSEN)) == lacking.documented()[CHOSEN]


@pytest.mark.parametrize("name", RELEASES)
def test_a_node_that_cannot_tell_its_datacenter_does_not_start(name: str) -> None:
    with OtherRelease.installed(name) as node:
        (node.directory / "conf" / "isotherm.yaml").write_text(yaml.safe_dump({"snitch": "NoSuchSnitch"}))
        assert node.start_fails()
        assert "isotherm.yaml: snitch: NoSuchSnitch is refused" in node.log()


@pytest.fixture
def with_accord(request: pytest.FixtureRequest) -> Iterator[OtherRelease]:
    """A node of 6.0 with its transactions switched on, which ask the snitch for the order of nodes."""
    with OtherRelease.installed(LAST, variant_name=request.param) as node:
        file = node.directory / "conf" / "cassandra.yaml"
        settings = yaml.safe_load(file.read_text())
        settings["accord"] = {"enabled": True, "journal_directory": str(node.directory / "data" / "accord_journal")}
        file.write_text(yaml.safe_dump(settings, sort_keys=False))
        yield node


@pytest.mark.skipif(LAST not in RELEASES, reason="Accord came with 6.0")
@pytest.mark.parametrize("with_accord", ["cassandra", PLUGIN], indirect=True)
def test_accord_starts_and_starts_again(with_accord: OtherRelease) -> None:
    with_accord.start()
    session = pinned(with_accord.address)
    try:
        session.execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        session.execute("CREATE TABLE ks.t (k int PRIMARY KEY, v int) WITH transactional_mode = 'full'")
        session.execute("BEGIN TRANSACTION INSERT INTO ks.t (k, v) VALUES (1, 10); COMMIT TRANSACTION")
    finally:
        session.cluster.shutdown()
    with_accord.node.stop()
    with_accord.start()
    session = pinned(with_accord.address)
    try:
        assert session.execute("SELECT v FROM ks.t WHERE k = 1").one().v == 10
    finally:
        session.cluster.shutdown()
