# SPDX-License-Identifier: Apache-2.0
"""That nothing of the nodes in Cassandra's own directories outlives their test."""

from collections.abc import Sequence
from pathlib import Path

import installed_cluster
import pytest
from cassandra_layout import CassandraLayout
from installed_cluster import ADDRESSES, InstalledCluster

from isotherm_lab.cluster.node import Node
from isotherm_lab.errors import LabError


def made_up(root: Path, address: str, seeds: Sequence[str]) -> CassandraLayout:
    root.mkdir()
    return CassandraLayout(root, root, root / "conf", address)


@pytest.mark.parametrize("stuck", range(3))
def test_a_node_that_cannot_be_killed_keeps_none_of_the_others_and_no_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stuck: int
) -> None:
    killed: list[str] = []

    def kill(node: Node) -> None:
        killed.append(node.address)
        if node.address == ADDRESSES[stuck]:
            raise LabError(f"{node.address} could not be killed.")

    monkeypatch.setattr(installed_cluster.CassandraLayout, "of_archive", made_up)
    monkeypatch.setattr(Node, "kill", kill)
    cluster = InstalledCluster(tmp_path)
    with pytest.raises(LabError, match="could not be killed"):
        cluster.__exit__()
    assert sorted(killed) == sorted(ADDRESSES)
    assert [layout.root.exists() for layout in cluster.layouts] == [False] * len(ADDRESSES)
