# SPDX-License-Identifier: Apache-2.0
"""Counter updates where only one node has the plugin: the others cannot be asked, and nobody waits for them."""

import pytest
from counter_updates import KINDS, LEVELS, TABLE, CounterUpdates
from plugin_views import counts
from shared_cluster import FIRST_NODE_ONLY, SharedCluster

pytestmark = [pytest.mark.contract, pytest.mark.long, pytest.mark.begins_with(*FIRST_NODE_ONLY)]


@pytest.fixture(scope="module")
def updates(shared_cluster: SharedCluster) -> CounterUpdates:
    return CounterUpdates(shared_cluster, replication=2)


@pytest.mark.parametrize("coordinator", [0, 1], ids=["plugin", "stock"])
def test_every_kind_at_every_level_counts_once(updates: CounterUpdates, coordinator: int):
    for place, level in enumerate(LEVELS):
        updates.each_kind(coordinator, level, 20 * place + 2 * coordinator)
    assert updates.counted() == updates.acknowledged


def test_what_it_is_no_replica_of_gets_a_random_leader(shared_cluster: SharedCluster, updates: CounterUpdates):
    session, own = shared_cluster.session(0), shared_cluster.addresses[0]
    update = session.prepare(f"UPDATE {TABLE} SET value = value + 1 WHERE key = ?")
    strange = [key for key in range(1000, 1100) if own not in shared_cluster.replicas_of(key)]
    before = counts(session)
    for key in strange:
        session.execute(update, (key,))
        updates.acknowledged[key] += 1
    after = counts(session)
    made = {kind: after[kind] - before[kind] for kind in KINDS}
    assert sum(made.values()) == len(strange) > 0
    assert made["LeaderRandom"] == len(strange)
    assert updates.counted() == updates.acknowledged


def test_nothing_of_ours_failed(shared_cluster: SharedCluster):
    assert counts(shared_cluster.session(0))["Failures"] == 0
