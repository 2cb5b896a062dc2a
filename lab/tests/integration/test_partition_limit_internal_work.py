# SPDX-License-Identifier: Apache-2.0
"""What nodes do among themselves never counts: hints, read repair and repair reach a replica that rejects writes.

Limits are switched off on the third node, so that it applies what the second, the other replica, rejects.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest
from cassandra import ConsistencyLevel
from cassandra.query import SimpleStatement
from partition_limits import CLOSED, RateLimited, decided, keys_where, limit
from plugin_views import LogMark, change_setting, counts
from shared_cluster import TABLE_OPTIONS, SharedCluster
from waiting import until

from isotherm_lab.cluster import control

pytestmark = pytest.mark.contract

#: For each table whether reads repair it.
TABLES = {"kept": "NONE", "read": "BLOCKING"}
#: Of a table of its own, with a limit that admits the first few of them: the replica that is asked is always the same.
UNHINTED, FEW = range(40), 10
WRITES = range(20)
#: Written after all others where hints must have come.
LAST = 99


@dataclass(frozen=True)
class Divided:
    """Two replicas that decide differently, for a coordinator that is none, and what was decided before."""

    cluster: SharedCluster
    key: int
    before: Counter

    def write(self, table: str, part: int, level: int) -> None:
        insert = f"INSERT INTO lab.{table} (key, part) VALUES ({self.key}, {part})"
        self.cluster.session(0).execute(SimpleStatement(insert, consistency_level=level))

    def parts_at(self, index: int, table: str, level: int = ConsistencyLevel.ONE) -> set[int]:
        select = SimpleStatement(f"SELECT part FROM lab.{table} WHERE key = {self.key}", consistency_level=level)
        return {row.part for row in self.cluster.session(index).execute(select)}

    def counted(self) -> dict[str, int]:
        """Return what all nodes have decided since the tables were made."""
        now = decided(self.cluster, *TABLES)
        return {name: now[name] - self.before[name] for name in now if now[name] != self.before[name]}


@pytest.fixture(scope="module")
def divided(shared_cluster: SharedCluster) -> Iterator[Divided]:
    session = shared_cluster.fresh_keyspace(replication=2)
    limits = dict.fromkeys(TABLES, CLOSED) | {"unhinted": FEW}
    for table, most in limits.items():
        session.execute(
            f"CREATE TABLE lab.{table} (key bigint, part int, PRIMARY KEY (key, part))"
            f" WITH {TABLE_OPTIONS} AND read_repair = '{TABLES.get(table, 'NONE')}' AND {limit(writes=most)}"
        )
    key = keys_where(shared_cluster, lambda found: found == set(shared_cluster.addresses[1:]), 1)[0]
    for index in range(3):
        # Without heat a node reads from itself what it has.
        change_setting(shared_cluster.session(index), "heat.enabled", "false")
    change_setting(shared_cluster.session(2), "limit.enabled", "false")
    yield Divided(shared_cluster, key, decided(shared_cluster, *TABLES))
    change_setting(shared_cluster.session(2), "limit.enabled", "true")
    for index in range(3):
        change_setting(shared_cluster.session(index), "heat.enabled", "true")


def test_a_hint_is_owed_to_the_replica_that_rejected_an_acknowledged_write(divided: Divided):
    for part in WRITES:
        divided.write("kept", part, ConsistencyLevel.ONE)
    counted = {"admitted_writes": len(WRITES)}
    assert divided.counted() == counted
    until(lambda: divided.parts_at(1, "kept") == set(WRITES), "the hints have come", timeout_s=60)
    assert divided.counted() == counted


def test_no_acknowledged_write_lacks_where_no_hints_are_kept(divided: Divided):
    """One replica is asked before the write is sent, as none would be told afterwards of what it alone has rejected."""
    coordinator = divided.cluster.nodes[0]
    control.order(coordinator, "hints", "none")
    try:
        acknowledged = set()
        for part in UNHINTED:
            with suppress(RateLimited):
                divided.write("unhinted", part, ConsistencyLevel.ONE)
                acknowledged.add(part)
        assert acknowledged, "not even the first write was within the limit"
        for replica in (1, 2):
            # One that the other replica has acknowledged may arrive later; what lacks would lack for ever.
            until(lambda at=replica: divided.parts_at(at, "unhinted") == acknowledged, "what is acknowledged is there")
    finally:
        control.order(coordinator, "hints", "keep")


@pytest.fixture(scope="module")
def rejected(divided: Divided) -> set[int]:
    """Return the parts that were written to both tables, that one replica rejected and the other applied."""
    parts = {100 + part for part in WRITES}
    partly = counts(divided.cluster.session(0))["LimitPartlyApplied"]
    before = divided.counted()
    for table in TABLES:
        for part in parts:
            with pytest.raises(RateLimited):
                divided.write(table, part, ConsistencyLevel.ALL)
    writes = len(TABLES) * len(parts)

    def partly_applied() -> bool:  # what the other replica says may come after the client has its answer
        return counts(divided.cluster.session(0))["LimitPartlyApplied"] - partly == writes

    until(partly_applied, "each write that was applied all the same is counted")
    assert divided.counted() == before | {"rejected_writes": writes, "partly_applied_writes": writes}
    # Hints come in the order in which they were owed.
    divided.write("kept", LAST, ConsistencyLevel.ONE)
    return parts


@pytest.mark.long
def test_none_is_owed_of_a_rejected_one(divided: Divided, rejected: set[int]):
    until(lambda: LAST in divided.parts_at(1, "kept"), "the last hint has come", timeout_s=60)
    for table in TABLES:
        assert not rejected & divided.parts_at(1, table)
        assert rejected <= divided.parts_at(2, table)


def test_read_repair_is_not_counted(divided: Divided, rejected: set[int]):
    before = divided.counted()
    assert divided.parts_at(0, "read", ConsistencyLevel.ALL) == rejected
    assert divided.parts_at(1, "read") == rejected
    assert divided.counted() == before


def test_repair_is_not_counted(divided: Divided, rejected: set[int]):
    before = divided.counted()
    control.order(divided.cluster.nodes[1], "repair", "lab kept", timeout_s=120)
    assert divided.parts_at(1, "kept") == {*WRITES, LAST} | rejected
    assert divided.counted() == before


def test_nobody_complains(divided: Divided, marks: list[LogMark]):
    divided.cluster.assert_nothing_failed(marks)
