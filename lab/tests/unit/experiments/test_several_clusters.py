# SPDX-License-Identifier: Apache-2.0
"""Experiments whose clusters run at a time."""

from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.errors import LabError
from isotherm_lab.experiments import soft_limits
from isotherm_lab.experiments.slow_leader.plan import SHORT as SLOW_LEADER
from isotherm_lab.experiments.slow_leader.run import run as slow_leader
from isotherm_lab.experiments.throughput.plan import SHORT as THROUGHPUT
from isotherm_lab.experiments.throughput.plan import SWITCHED_OFF
from isotherm_lab.experiments.throughput.run import run as throughput
from isotherm_lab.progress import Silent


def test_experiments_with_several_clusters_ask_for_all_of_them_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def create(*_: object, **__: object) -> None:
        raise AssertionError("a cluster begins")

    monkeypatch.setattr(Cluster, "create", create)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=3 * 2**30))
    with pytest.raises(LabError, match=r"^6 nodes need"):
        slow_leader(SLOW_LEADER, tmp_path)
    with pytest.raises(LabError, match=r"^9 nodes need"):
        soft_limits.run(soft_limits.planned("8,16,32", short=True), tmp_path, Silent())
    with pytest.raises(LabError, match=r"^6 nodes need"):
        next(throughput(THROUGHPUT))
    # Its plugin is compared with itself alone.
    with pytest.raises(AssertionError, match="a cluster begins"):
        next(throughput(SWITCHED_OFF))
