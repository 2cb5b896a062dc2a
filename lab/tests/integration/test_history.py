# SPDX-License-Identifier: Apache-2.0
"""QUORUM reads see QUORUM writes while nodes die and return: every operation is recorded and checked."""

import time
from collections.abc import Iterator

import pytest
from plugin_views import LogMark, change_setting
from register_load import RegisterLoad
from shared_cluster import ROW_CACHE, SharedCluster
from waiting import until

from isotherm_lab.cluster.node import Node
from isotherm_lab.measure.histories import Operation, violations

#: The cluster convicts a silent node after about ten seconds; until then a request may be sent to the dead one, and
#: fails when its coordinator was the dead one or when speculation and the driver's second attempt came too late.
NOTICED_S = 20

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> Iterator[SharedCluster]:
    session = shared_cluster.fresh_keyspace(replication=3)
    # Speculation as Cassandra has it: it is what carries reads past a replica that has just died.
    session.execute(f"CREATE TABLE lab.registers (key bigint PRIMARY KEY, value bigint) WITH {ROW_CACHE}")
    yield shared_cluster
    for index in range(3):
        change_setting(shared_cluster.session(index), "heat.placement", "local")


def die_and_return(cluster: SharedCluster, index: int, load: RegisterLoad) -> float:
    """End a node as a power failure would, under load, and bring it back; return the moment it died."""
    ended = 0.0

    def kill(node: Node) -> None:
        nonlocal ended
        ended = time.monotonic()
        node.kill()

    cluster.restart(index, end=kill)
    so_far = len(load.history())
    until(lambda: len(load.history()) > so_far + 300, "the load runs on")
    return ended


def test_quorum_reads_see_quorum_writes(cluster: SharedCluster):
    marks = [LogMark.end_of(node) for node in cluster.nodes]
    kills = []
    with RegisterLoad(cluster.addresses, seed=5) as load:
        until(lambda: len(load.history()) > 300, "the load runs")
        kills.append(die_and_return(cluster, 1, load))
        for index in range(3):
            change_setting(cluster.session(index), "heat.placement", "affinity")
        kills.append(die_and_return(cluster, 2, load))
        change_setting(cluster.session(2), "heat.placement", "affinity")
        kills.append(die_and_return(cluster, 0, load))
        until(lambda: len(load.history()) > 2000, "the load has done enough to judge by", timeout_s=120)

    history = load.history()
    assert violations(history) == []

    def expected(operation: Operation) -> bool:
        return any(operation.began < kill + NOTICED_S and operation.ended > kill for kill in kills)

    failed = [operation for operation in history if not operation.succeeded]
    print(f"{len(history)} operations, {len(failed)} failed")
    assert [operation for operation in failed if not expected(operation)] == []
    assert len(failed) < len(history) / 20, failed
    cluster.assert_nothing_failed(marks)
