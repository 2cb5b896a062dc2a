# SPDX-License-Identifier: Apache-2.0
"""Cassandra's offline tools do with the plugin installed what they do without it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from coordinators import pinned
from offline_tools import KEYSPACE, TABLE, TESTED, comparable, copied, fill, is_in, outcomes, to_load
from single_node import single_node

from isotherm_lab.cluster.classpath import cassandra_class_path
from isotherm_lab.cluster.cluster import Cluster

pytestmark = pytest.mark.contract

_ROWS = 50


@pytest.fixture(scope="module")
def filled() -> Iterator[Cluster]:
    """A node with the plugin, with rows of a table on its disk, in order stopped."""
    with single_node("isotherm") as cluster:
        cluster.start()
        session = pinned(cluster.nodes[0].address)
        try:
            fill(session, _ROWS)
        finally:
            session.cluster.shutdown()
        cluster.nodes[0].stop()
        yield cluster


@pytest.mark.parametrize("tool", TESTED)
def test_a_tool_ends_as_it_does_without_the_plugin(filled: Cluster, tmp_path: Path, tool: str) -> None:
    if not is_in(tool, cassandra_class_path()):
        pytest.skip(f"this Cassandra has no {tool}")
    stock, *installed = outcomes(filled.nodes[0], tool, tmp_path / "node")
    assert stock.returncode == 0, stock.stdout + stock.stderr
    assert len(installed) == 2
    for ended in installed:
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert comparable(ended.stdout) == comparable(stock.stdout)
        assert "isotherm" not in ended.stderr


def test_a_tool_does_not_ask_for_the_file(filled: Cluster, tmp_path: Path) -> None:
    installation = copied(filled.nodes[0], tmp_path / "node")
    (installation.directory / "conf" / "isotherm.yaml").unlink()
    dumped = installation.run("sstableverify")
    assert dumped.returncode == 0, dumped.stdout + dumped.stderr


@pytest.mark.long
def test_sstableloader_loads_into_a_node_with_the_plugin(filled: Cluster, tmp_path: Path) -> None:
    installation = copied(filled.nodes[0], tmp_path / "node")
    source = to_load(installation, tmp_path)
    filled.start()
    node = filled.nodes[0]
    session = pinned(node.address)
    try:
        session.execute(f"TRUNCATE {KEYSPACE}.{TABLE}")
        loaded = installation.load(source)
        assert loaded.returncode == 0, loaded.stdout + loaded.stderr
        rows = {row.k: row.v for row in session.execute(f"SELECT k, v FROM {KEYSPACE}.{TABLE}")}
        assert rows == {key: 7 * key for key in range(_ROWS)}
    finally:
        session.cluster.shutdown()
        node.stop()
