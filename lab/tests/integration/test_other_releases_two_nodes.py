# SPDX-License-Identifier: Apache-2.0
"""Two nodes of a release that the plugin does not know answer as plain ones: here replicas are ordered by proximity."""

from contextlib import ExitStack

import pytest
from cassandra import ConsistencyLevel, Unavailable
from cassandra.cluster import Session
from coordinators import pinned
from other_release import OtherRelease
from shared_cluster import PLUGIN, STOCK
from test_other_releases import RELEASES
from waiting import until

pytestmark = [pytest.mark.out_of_the_way, pytest.mark.long]

KEYS = range(20)


def sees_both(session: Session) -> bool:
    """Whether a session's node holds both replicas of a table of Cassandra's own for alive."""
    try:
        session.execute("SELECT * FROM system_traces.sessions LIMIT 1")
    except Unavailable:
        return False
    return True


def schema_of(session: Session) -> object:
    return session.execute("SELECT schema_version FROM system.local").one().schema_version


def answers(release: str, variant_name: str) -> list[tuple]:
    """Start two nodes, write and count through the first, and return what each answers of each key."""
    with ExitStack() as stack:
        nodes = [stack.enter_context(OtherRelease.installed(release, at, 2, variant_name)) for at in range(2)]
        for node in nodes:
            node.start()
        sessions = []
        for node in nodes:
            session = pinned(node.address, level=ConsistencyLevel.QUORUM)
            stack.callback(session.cluster.shutdown)
            sessions.append(session)
        first = sessions[0]
        for session in sessions:
            until(lambda session=session: sees_both(session), "each node sees both", timeout_s=60)
        first.execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}")
        first.execute("CREATE TABLE ks.t (k int PRIMARY KEY, v int)")
        first.execute("CREATE TABLE ks.c (k int PRIMARY KEY, n counter)")
        # A pinned driver holds no other node for up, and waits for none.
        until(lambda: len({schema_of(session) for session in sessions}) == 1, "both nodes have the tables")
        for key in KEYS:
            first.execute(f"INSERT INTO ks.t (k, v) VALUES ({key}, {10 * key})")
            # Led by whichever replica is nearest.
            for session in sessions:
                session.execute(f"UPDATE ks.c SET n = n + {key} WHERE k = {key}")
        read = [
            tuple(session.execute(f"SELECT {column} FROM ks.{table} WHERE k = {key}").one())
            for session in sessions
            for column, table in (("v", "t"), ("n", "c"))
            for key in KEYS
        ]
        read += [tuple(row) for session in sessions for row in session.execute("SELECT k, v FROM ks.t")]
        return read


@pytest.mark.parametrize("release", RELEASES)
def test_reads_at_quorum_and_counters_are_as_without_the_plugin(release: str) -> None:
    stock = answers(release, STOCK)
    assert stock[: 2 * len(KEYS)] == [(10 * key,) for key in KEYS] + [(2 * key,) for key in KEYS]
    assert answers(release, PLUGIN) == stock
