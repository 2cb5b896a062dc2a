# SPDX-License-Identifier: Apache-2.0
"""The shares on the wire are those of the heat, counted by an instrument that does not know the plugin.

Nodes 2 and 3 have no plugin; what they are believed to miss is injected through their gossip, and that they have so
many reads of another table that no disk bears more than the shares of the heat.
"""

import time
from collections.abc import Iterator
from itertools import count, islice

import pytest
from cassandra import ConsistencyLevel
from expected_shares import forwarding_of_first, shares, within_chance
from gossip_states import OUT_OF_READS, out_of_reads_until, publish
from plugin_views import change_setting, counts, heat, hit_ratios
from probes import sample_now
from reports import MOST_READS, code_of, inject_beside_busy, inject_beside_idle, ratio_of, table_id
from shared_cluster import FIRST_NODE_ONLY, ROW_CACHE, SharedCluster
from waiting import until

pytestmark = [
    pytest.mark.begins_with(*FIRST_NODE_ONLY),
    pytest.mark.after_others("in gossip nodes 2 and 3 go on saying what was injected"),
]

READS = 4000
KEYS = 500
BUSY = "busy"
PAIRS = [(0.1, 0.4), (0.8, 0.2), (0.02, 0.9)]
#: The ledger weighs a read of t seconds ago by 0.9^t: for reads over up to 7 s as good as 3/4 as many.
LEDGER_READS = READS * 3 // 4


def until_believed(cluster: SharedCluster, table: str, codes: dict[str, int]) -> None:
    """Wait until node 1 believes these steps of the grid."""

    def believed() -> bool:
        ratios = hit_ratios(cluster.session(0), table)
        hits = [(ratios.get(address), 1 - ratio_of(code)) for address, code in codes.items()]
        return all(ratio is not None and abs(ratio - hit) < 1e-9 for ratio, hit in hits)

    until(believed, f"node 1 believes {codes} of {table}")


def tell(cluster: SharedCluster, table: str, misses: tuple[float, float]) -> list[float]:
    """Inject the miss ratios of nodes 2 and 3; return them as the wire rounds them, once node 1 believes them."""
    table_uuid, busy = (table_id(cluster.session(0), name) for name in (table, BUSY))
    codes = {address: code_of(miss) for address, miss in zip(cluster.addresses[1:], misses, strict=True)}
    for node in cluster.nodes[1:]:
        inject_beside_busy(node, {table_uuid: codes[node.address]}, busy)
    until_believed(cluster, table, codes)
    return [ratio_of(code) for code in codes.values()]


def sent_by_first(cluster: SharedCluster, table: str, keys: list[int], level: int = ConsistencyLevel.ONE):
    """Read through node 1 and return what its probe counted."""
    before = sample_now(cluster.nodes[0])
    cluster.read(0, table, keys, level)
    return sample_now(cluster.nodes[0]).since(before)


@pytest.fixture(scope="module")
def elsewhere(shared_cluster: SharedCluster) -> tuple[SharedCluster, list[int]]:
    """A keyspace of two replicas, and keys that have theirs on nodes 2 and 3: node 1 coordinates only."""
    shared_cluster.fresh_keyspace(replication=2)
    shared_cluster.fill(BUSY, [0])
    others = set(shared_cluster.addresses[1:])
    keys = list(islice((key for key in count() if shared_cluster.replicas_of(key) == others), KEYS))
    return shared_cluster, keys


@pytest.mark.parametrize(
    "misses", [PAIRS[0], *(pytest.param(pair, marks=pytest.mark.long) for pair in PAIRS[1:])],
    ids=lambda pair: f"misses_{pair[0]}_{pair[1]}",
)  # fmt: skip
def test_a_coordinator_that_is_no_replica_sends_by_the_shares(elsewhere, misses):
    cluster, keys = elsewhere
    table = f"pair_{PAIRS.index(misses)}"
    cluster.fill(table, keys)
    wanted = shares(tell(cluster, table, misses), contacted=1)
    counted = sent_by_first(cluster, table, [keys[read % KEYS] for read in range(READS)])

    assert counted.local == 0
    assert sum(counted.sent.values()) == READS
    for address, share in zip(cluster.addresses[1:], wanted, strict=True):
        assert within_chance(counted.sent[address], READS, share), (address, counted.sent, wanted)

    # What is asked settles what was drawn; otherwise the shares may be those of a part of the reads.
    assert counts(cluster.session(0))["BalancedReads"] >= READS

    def settled() -> dict:
        rows = heat(cluster.session(0), table)
        return rows if all(rows[address].share_sent is not None for address in cluster.addresses[1:]) else {}

    rows = until(settled, "isotherm.heat shows shares")
    for address, share in zip(cluster.addresses[1:], wanted, strict=True):
        assert rows[address].share_wanted == pytest.approx(share, abs=1e-6)
        assert within_chance(round(rows[address].share_sent * LEDGER_READS), LEDGER_READS, share)
    busy = heat(cluster.session(0), BUSY)
    for address in cluster.addresses[1:]:
        assert rows[address].coordinated_per_s is None, "not told"
        assert busy[address].coordinated_per_s == pytest.approx(0.1 * 2 ** ((MOST_READS - 2) / 8))


def test_a_change_of_heat_is_followed(elsewhere):
    cluster, keys = elsewhere
    cluster.fill("changing", keys)
    for misses in [(0.05, 1.0), (1.0, 0.05)]:
        # tell() waits for the belief, with a deadline; the reads after it go by the new heat at once.
        wanted = shares(tell(cluster, "changing", misses), contacted=1)
        counted = sent_by_first(cluster, "changing", keys)
        for address, share in zip(cluster.addresses[1:], wanted, strict=True):
            assert within_chance(counted.sent.get(address, 0), KEYS, share), (misses, counted.sent)


@pytest.fixture
def drawn_by_affinity(elsewhere) -> Iterator[SharedCluster]:
    """Node 1 guards its reads and draws all of them at random, by the shares of affinity."""
    cluster, _ = elsewhere
    # So patient that it leaves out nobody by itself: a node that stands still for a moment would lose reads.
    patient = {"guard.most_patience": "10s", "guard.least_patience": "10s"}
    changes = {**patient, "guard.enabled": "true", "heat.placement": "affinity", "heat.wandering": "1"}
    session = cluster.session(0)
    before = dict(session.execute("SELECT name, value FROM isotherm.settings"))
    for name, value in changes.items():
        change_setting(session, name, value)
    yield cluster
    for name in reversed(changes):
        change_setting(session, name, before[name])


def test_who_was_left_out_gets_no_more_than_the_other_for_a_while(elsewhere, drawn_by_affinity):
    """Node 3 misses less than node 2: by its cost it gets more, and after it was left out as much."""
    cluster, keys = elsewhere
    cluster.fill("kept", keys)
    last = cluster.nodes[2]
    codes = {cluster.addresses[1]: code_of(0.33), last.address: code_of(0.1)}

    def tell_again() -> None:
        """Inject both heats, before they are too old to count."""
        kept, busy = (table_id(cluster.session(0), table) for table in ("kept", BUSY))
        for node in cluster.nodes[1:]:
            # Together so many that the disk of node 2 bears an equal share, and half of it less than that.
            inject_beside_idle(node, kept, codes[node.address], reads_per_s=200, idle=busy)
        until_believed(cluster, "kept", codes)

    def to_last(reads: int) -> int:
        return sent_by_first(cluster, "kept", [keys[read % KEYS] for read in range(reads)]).sent.get(last.address, 0)

    def out_until(millis: int) -> None:
        publish(last, OUT_OF_READS, out_of_reads_until(millis))

    tell_again()
    # Half of the disk of node 2 bears 0.37 of the reads. Plans follow the requests of all tables within some seconds.
    until(lambda: within_chance(to_last(READS), READS, 0.63), "node 3 has its share by its cost")
    out_until(int(time.time() * 1000) + 3_600_000)
    try:
        until(lambda: to_last(100) == 0, "node 3 is left out")
        time.sleep(6)
        tell_again()
    finally:
        out_until(0)
    until(lambda: to_last(100) > 0, "node 3 is back")
    assert within_chance(to_last(READS), READS, 0.5)
    tell_again()
    # It has its share by its cost again when it has been back for twice as long.
    until(lambda: to_last(READS) > 0.58 * READS, "node 3 has its share again", timeout_s=60)


@pytest.fixture(scope="module")
def among(shared_cluster: SharedCluster) -> SharedCluster:
    """A keyspace of which every node has every row."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill(BUSY, [0])
    return shared_cluster


@pytest.mark.contract
@pytest.mark.parametrize(("level", "contacted"), [pytest.param("ONE", 1, marks=pytest.mark.long), ("QUORUM", 2)])
def test_a_cold_replica_keeps_only_its_part(among: SharedCluster, level: str, contacted: int):
    # Each row is read once, so node 1 misses its row cache each time: its own miss ratio is 1 throughout.
    table, keys = f"cold_{level}".lower(), list(range(READS))
    among.fill(table, keys, ROW_CACHE)
    misses = [1.0, *tell(among, table, (0.3, 0.5))]
    # Its first round of measuring after it has heard of the table tells it; until then no read is drawn.
    own = among.addresses[0]
    until(lambda: hit_ratios(among.session(0), table).get(own) == 0, "node 1 knows that it is cold itself")
    compare(among, table, keys, level, contacted, misses)
    assert hit_ratios(among.session(0), table)[among.addresses[0]] == 0


@pytest.mark.long
@pytest.mark.parametrize(("level", "contacted"), [("ONE", 1), ("QUORUM", 2)])
def test_a_warm_replica_keeps_all_it_may(among: SharedCluster, level: str, contacted: int):
    table, keys = f"warm_{level}".lower(), list(range(KEYS))
    among.fill(table, keys, ROW_CACHE)
    misses = [0.0, *tell(among, table, (0.3, 0.5))]

    def warm() -> bool:
        among.read(0, table, keys, ConsistencyLevel.ALL)
        # Below the floor of misses, as good as 1; at first nothing is known.
        return (hit_ratios(among.session(0), table).get(among.addresses[0]) or 0) > 0.96

    until(warm, "node 1 has all rows in its cache")
    compare(among, table, [keys[read % KEYS] for read in range(READS)], level, contacted, misses)


def compare(
    cluster: SharedCluster, table: str, keys: list[int], level: str, contacted: int, misses: list[float]
) -> None:
    """Read through node 1; the reads it keeps and those it sends must have the matrix's shares."""
    counted = sent_by_first(cluster, table, keys, ConsistencyLevel.name_to_value[level])
    wanted = forwarding_of_first(shares(misses, contacted), contacted)
    got = [counted.local, *(counted.sent.get(address, 0) for address in cluster.addresses[1:])]
    assert sum(got) == contacted * len(keys)
    for contacts, share in zip(got, wanted, strict=True):
        assert within_chance(contacts, len(keys), contacted * share), (got, wanted, heat(cluster.session(0), table))
