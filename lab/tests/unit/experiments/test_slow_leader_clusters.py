# SPDX-License-Identifier: Apache-2.0
"""The start of a cluster with counters."""

import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.experiments.slow_leader import clusters
from isotherm_lab.experiments.slow_leader.plan import SHORT
from isotherm_lab.progress import Silent


class Started:
    """A cluster that starts, and cannot be loaded."""

    def __init__(self) -> None:
        self.ended = False

    def start(self, told: object) -> None:
        pass

    def end(self) -> None:
        self.ended = True


def test_a_cluster_that_cannot_be_loaded_is_ended_whatever_interrupts_it(monkeypatch: pytest.MonkeyPatch):
    def refuse(_cluster: Started) -> None:
        raise LabError("It cannot be loaded.")

    started = Started()
    monkeypatch.setattr(clusters.Cluster, "create", lambda *_, **__: started)
    monkeypatch.setattr(clusters, "loading", refuse)
    with pytest.raises(LabError, match="cannot be loaded"):
        clusters.start(SHORT, "t", "cassandra", 1, Silent())
    assert started.ended
