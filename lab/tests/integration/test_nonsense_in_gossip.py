# SPDX-License-Identifier: Apache-2.0
"""Nonsense where heat reports travel: dropped, counted, logged once, and nobody reads differently for it."""

import random
import time
from collections.abc import Iterator
from uuid import UUID

import pytest
from cassandra import ConsistencyLevel
from gossip_states import OUT_OF_READS, out_of_reads, out_of_reads_until, publish
from plugin_views import LogMark, change_setting, counts, hit_ratios
from reports import MISS_RATIO, as_gossip, code_of, encoded, gossip, inject, table_id
from shared_cluster import FIRST_NODE_ONLY, SharedCluster
from waiting import until

pytestmark = [
    pytest.mark.contract,
    pytest.mark.begins_with(*FIRST_NODE_ONLY),
    pytest.mark.after_others("it provokes complaints, and the others look for such in the whole log"),
]

ANY_TABLE = UUID(int=0x1234)
#: In the place of a table: how many reads a disk serves side by side.
DISK_OF_NONE = UUID(int=0x69736F746865F100 << 64)
VALID = encoded([(ANY_TABLE, MISS_RATIO, 200)])
MALFORMED = {
    "another's value": "somebody else's padding",
    "nothing": "",
    "only the mark": "isotherm:",
    "no base64": "isotherm:%%%%",
    "truncated": as_gossip(VALID[:-1]),
    "a byte too many": as_gossip(VALID + b"\0"),
    "wrong version": as_gossip(encoded([(ANY_TABLE, MISS_RATIO, 200)], version=9)),
    "wrong kind": as_gossip(encoded([(ANY_TABLE, 7, 200)])),
    "a lying count": as_gossip(encoded([(ANY_TABLE, MISS_RATIO, 200)], count=200)),
    "a table twice": as_gossip(encoded([(ANY_TABLE, MISS_RATIO, 200)] * 2)),
    "a disk that serves nothing": as_gossip(encoded([(DISK_OF_NONE, MISS_RATIO, 0)])),
    "huge": as_gossip(random.Random(1).randbytes(40_000)),
}


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=2)
    shared_cluster.fill("plain", range(20))
    return shared_cluster


@pytest.fixture
def believing(cluster: SharedCluster) -> Iterator[SharedCluster]:
    """The cluster whose first node believes what it has heard for an hour: what is injected is told once."""
    change_setting(cluster.session(0), "heat.stale_after", "60m")
    yield cluster
    change_setting(cluster.session(0), "heat.stale_after", "90s")


def test_each_kind_of_nonsense_is_dropped_and_counted(believing: SharedCluster):
    cluster = believing
    session = cluster.session(0)
    table = table_id(session, "plain")
    for node in cluster.nodes[1:]:
        inject(node, {table: code_of(0.3)})
    others = cluster.addresses[1:]
    until(lambda: all(hit_ratios(session, "plain").get(other) for other in others), "the heat injected is believed")
    believed = {other: hit_ratios(session, "plain")[other] for other in others}
    mark, began = LogMark.end_of(cluster.nodes[0]), time.monotonic()
    malformed = counts(session)["ReportsMalformed"]

    for kind, text in MALFORMED.items():
        gossip(cluster.nodes[1], text)
        malformed += 1
        until(lambda: counts(session)["ReportsMalformed"] >= malformed, f"{kind} is counted")  # noqa: B023
        assert counts(session)["ReportsMalformed"] == malformed, kind
        assert {other: hit_ratios(session, "plain")[other] for other in others} == believed, kind
        cluster.read(0, "plain", range(20))

    # One line for what could not be decoded and one for what was decoded and is no report; each once a minute.
    minutes = 1 + int(time.monotonic() - began) // 60
    complaints = mark.complaints()
    assert 2 <= len(complaints) <= 2 * minutes, complaints
    assert all("is ignored" in complaint for complaint in complaints)


@pytest.fixture
def guarded(cluster: SharedCluster) -> Iterator[SharedCluster]:
    """The cluster with the guard on the first node: switched off it says nothing of who is out."""
    change_setting(cluster.session(0), "guard.enabled", "true")
    yield cluster
    change_setting(cluster.session(0), "guard.enabled", "false")


def test_nonsense_takes_no_node_out_of_reads(guarded: SharedCluster):
    cluster = guarded
    session, node = cluster.session(0), cluster.nodes[1]
    cluster.read(0, "plain", range(20), ConsistencyLevel.ALL)

    def asks(text: str) -> None:
        publish(node, OUT_OF_READS, text)

    def asks_until(millis: int) -> None:
        asks(out_of_reads_until(millis))

    def guard() -> str:
        rows = session.execute("SELECT guard FROM isotherm.replicas WHERE address = %s", (node.address,))
        return rows.one().guard

    mark = LogMark.end_of(cluster.nodes[0])
    for text in ("another's", "isotherm.out:%%%%", out_of_reads(b"a day")):
        malformed = counts(session)["GuardRequestsMalformed"]
        asks(text)
        until(lambda: counts(session)["GuardRequestsMalformed"] == malformed + 1, f"{text!r} is counted")  # noqa: B023
        assert guard() != "out", text
    assert mark.complaints(), "nothing was logged"
    # An instant beyond all days is cut to a day, one long past is none.
    asks_until(2**63 - 1)
    until(lambda: guard() == "out", "sense is believed")
    asks_until(-(2**63))
    until(lambda: guard() != "out", "the node is back")


def test_a_report_of_a_table_that_nobody_knows_is_no_nonsense(cluster: SharedCluster):
    session = cluster.session(0)
    before = counts(session)
    gossip(cluster.nodes[1], as_gossip(VALID))
    until(lambda: counts(session)["ReportsAccepted"] > before["ReportsAccepted"], "the report is accepted")
    assert counts(session)["ReportsMalformed"] == before["ReportsMalformed"]


def test_sense_is_believed_again(cluster: SharedCluster):
    session = cluster.session(0)
    inject(cluster.nodes[1], {table_id(session, "plain"): code_of(0.7)})

    def believed() -> bool:
        ratio = hit_ratios(session, "plain").get(cluster.addresses[1])
        return ratio is not None and abs(ratio - 0.3) < 0.02

    until(believed, "the valid report is believed")
