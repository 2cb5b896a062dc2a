# SPDX-License-Identifier: Apache-2.0
"""Which statements count against a partition's limit, as how many operations, and that each of them can be rejected.

Once through a coordinator that has the partitions itself and once through one that has not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from limited_statements import COUNTED, ROWS, UNCOUNTED, Kind
from partition_limits import CLOSED, OPEN, Asked, RateLimited, decided, keys_where, limit, unanswered
from plugin_views import LogMark
from shared_cluster import TABLE_OPTIONS, SharedCluster

from isotherm_lab.cluster.preflight import CQL_PORT
from isotherm_lab.errors import LabError
from isotherm_lab.load.cql_connection import CqlConnection

COLUMNS = {
    "rows": "key bigint, part int, value int, PRIMARY KEY (key, part)",
    "hits": "key bigint PRIMARY KEY, hits counter",
}
LIMITS = {
    "open": f" AND {limit(reads=OPEN, writes=OPEN)}",
    "closed": f" AND {limit(reads=CLOSED, writes=CLOSED)}",
}


@dataclass(frozen=True)
class Place:
    """Two partitions as the first node sees them."""

    cluster: SharedCluster
    a: int
    b: int
    marks: list[LogMark]

    def fill(self, kind: str) -> Callable[[str], str]:
        """Return what names the tables of one kind and the partitions in a statement."""
        return lambda query: query.format(rows=f"lab.rows_{kind}", hits=f"lab.hits_{kind}", a=self.a, b=self.b)


@pytest.fixture(
    scope="module",
    params=[(3, True), (2, False), (1, False)],
    ids=["rf3_replica", "rf2_not_replica", "rf1_not_replica"],
)
def place(shared_cluster: SharedCluster, request) -> Place:
    replication, is_replica = request.param
    session = shared_cluster.fresh_keyspace(replication)
    for kind, limited in LIMITS.items():
        for table, columns in COLUMNS.items():
            session.execute(f"CREATE TABLE lab.{table}_{kind} ({columns}) WITH {TABLE_OPTIONS}{limited}")
    first = shared_cluster.addresses[0]
    a, b = keys_where(shared_cluster, lambda replicas: (first in replicas) == is_replica, 2)
    insert = session.prepare("INSERT INTO lab.rows_open (key, part, value) VALUES (?, ?, 7)")
    for part in range(ROWS):
        session.execute(insert, (a, part))
    return Place(shared_cluster, a, b, [LogMark.end_of(node) for node in shared_cluster.nodes])


@pytest.mark.parametrize("kind", COUNTED, ids=lambda kind: kind.name.replace(" ", "_"))
def test_it_counts_each_partition_once(place: Place, kind: Kind):
    for level in kind.levels:
        before = decided(place.cluster, "rows_open", "hits_open")
        kind.run(Asked(place.cluster.session(0), level), place.fill("open"))
        after = decided(place.cluster, "rows_open", "hits_open")
        counted = {name: after[name] - before[name] for name in after if after[name] != before[name]}
        wanted = {"admitted_reads": kind.reads, "admitted_writes": kind.writes}
        assert counted == {name: count for name, count in wanted.items() if count}, level


@pytest.mark.contract
@pytest.mark.parametrize("kind", COUNTED, ids=lambda kind: kind.name.replace(" ", "_"))
def test_over_the_limit_it_is_rejected(place: Place, kind: Kind):
    session = place.cluster.session(0)
    for level in kind.levels:
        before, silent = decided(place.cluster, "rows_closed", "hits_closed"), unanswered(session)
        try:
            kind.run(Asked(session, level), place.fill("closed"))
        except RateLimited as rejection:
            table = f"lab.{kind.table}_closed"
            assert f"rate limit exceeded: {table} admits at most 0 {kind.operation} per second" in str(rejection)
            after = decided(place.cluster, "rows_closed", "hits_closed")
            counted = {name: after[name] - before[name] for name in after if after[name] != before[name]}
            assert counted == {f"rejected_{kind.operation}": 1}, level
        else:
            # Whoever hears no answer in 100 ms goes ahead; a busy machine may be that slow, nothing else may.
            assert unanswered(session) > silent, level


NAMED = {
    "reads": "SELECT * FROM {rows} WHERE key = :k",
    "writes": "INSERT INTO {rows} (part, value, key) VALUES (1, 2, :k)",
}


@pytest.fixture
def bare(place: Place) -> Iterator[CqlConnection]:
    """A client that prepares nothing and names the values of its statements, as no Python driver does."""
    connection = CqlConnection(place.cluster.addresses[0], CQL_PORT)
    yield connection
    connection.close()


@pytest.mark.contract
@pytest.mark.parametrize("operation", NAMED)
def test_values_may_be_named(place: Place, bare: CqlConnection, operation: str):
    key = {"k": place.a.to_bytes(8, "big", signed=True)}
    before = decided(place.cluster, "rows_open")
    bare.query(place.fill("open")(NAMED[operation]), key)
    assert decided(place.cluster, "rows_open") - before == {f"admitted_{operation}": 1}
    silent = unanswered(place.cluster.session(0))
    try:
        bare.query(place.fill("closed")(NAMED[operation]), key)
    except LabError as rejection:
        assert "rate limit exceeded: lab.rows_closed admits at most 0" in str(rejection)
    else:
        assert unanswered(place.cluster.session(0)) > silent


@pytest.mark.contract
def test_without_its_values_a_statement_is_cassandras_to_refuse(place: Place, bare: CqlConnection):
    with pytest.raises(LabError, match=r"bind variables|bind markers|values"):
        bare.query(place.fill("open")("SELECT * FROM {rows} WHERE key = ?"))


@pytest.mark.parametrize("query", UNCOUNTED)
def test_what_names_no_partition_is_not_counted(place: Place, query: str):
    session = place.cluster.session(0)
    before = decided(place.cluster, "rows_closed", "hits_closed")
    session.execute(place.fill("closed")(query))
    assert decided(place.cluster, "rows_closed", "hits_closed") == before


@pytest.mark.contract
def test_nobody_complains(place: Place):
    place.cluster.assert_nothing_failed(place.marks)
