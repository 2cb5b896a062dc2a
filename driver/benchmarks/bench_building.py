# SPDX-License-Identifier: Apache-2.0
"""What a change of the topology costs on a ring of 1,000 nodes x 256 vnodes: the tables, and one node's up or down."""

import gc
import tracemalloc
from collections.abc import Iterator
from time import thread_time

import pytest
from cassandra.query import SimpleStatement
from conftest import IS_SCYLLA
from pytest_benchmark.fixture import BenchmarkFixture
from ring import KEYSPACE, LOCAL_DC, TABLE, BenchCluster, bound_statements, hosts_of
from rows import ROWS, check

import isotherm_driver

if not IS_SCYLLA:
    pytest.skip("measured under scylla-driver only", allow_module_level=True)

NODES, ROUNDS = 1000, 3
#: About two thirds of the 256,000 ranges get a plan, and with it what is made for a range when it is first asked for.
KEYS_IN_USE = 300_000
ROW = next(row for row in ROWS if row.name == "TokenAware(DCAware)")


@pytest.fixture(scope="module")
def wide_ring() -> Iterator[BenchCluster]:
    """5 datacenters x 5 racks x 40 nodes."""
    yield BenchCluster(
        hosts_of([f"dc{dc}" for dc in range(1, 6)], [f"rack{rack}" for rack in range(1, 6)], NODES // 25)
    )


def forget(ring: BenchCluster) -> None:
    """Have the token map build the keyspace's replicas anew, as after a change of the ring."""
    ring.metadata.token_map.remove_keyspace(KEYSPACE)


def build_drivers(ring: BenchCluster) -> None:
    """Build the driver's own map from tokens to replicas."""
    ring.metadata.token_map.rebuild_keyspace(KEYSPACE, build_if_absent=True)


def traced(build) -> tuple[int, int]:
    """Return how many bytes a build leaves allocated, and how many it had at its most."""
    gc.collect()
    tracemalloc.start()
    try:
        kept = build()
        gc.collect()
        left, peak = tracemalloc.get_traced_memory()
        del kept
        return left, peak
    finally:
        tracemalloc.stop()


def ours_first_plan(ring: BenchCluster, query):
    """Return a policy of ours that has built its tables, which it does for its first plan."""
    policy = ROW.policy(isotherm_driver, ring)
    next(iter(policy.make_query_plan(None, query)))
    return policy


def ours_in_use(ring: BenchCluster):
    """Return a policy of ours after plans for so many keys that most ranges of the ring have had one."""
    policy = ROW.policy(isotherm_driver, ring)
    query = SimpleStatement("SELECT", keyspace=KEYSPACE)
    query.table = TABLE
    for key in range(KEYS_IN_USE):
        query.routing_key = key.to_bytes(8, "big")
        next(iter(policy.make_query_plan(None, query)))
    return policy


@pytest.mark.parametrize("side", ["isotherm", "driver"])
def test_building(benchmark: BenchmarkFixture, wide_ring: BenchCluster, side: str) -> None:
    """Ours is built from the driver's map, which is there already; the driver's is built from the ring."""
    query = bound_statements(1)[0]
    benchmark.group = "building"
    benchmark.extra_info |= {"row": "building", "side": side, "nodes": NODES, "per_round": 1}
    if side == "driver":
        forget(wide_ring)
        left, peak = traced(lambda: build_drivers(wide_ring))
        benchmark.pedantic(build_drivers, args=(wide_ring,), setup=lambda: forget(wide_ring), rounds=ROUNDS)
    else:
        build_drivers(wide_ring)
        left, peak = traced(lambda: ours_in_use(wide_ring))
        benchmark.pedantic(ours_first_plan, args=(wide_ring, query), rounds=ROUNDS)
        check(ROW, ours_first_plan(wide_ring, query), wide_ring, bound_statements(50))
    benchmark.extra_info |= {"bytes": left, "peak_bytes": peak}


@pytest.mark.parametrize("event", ["up", "down"])
def test_one_node(benchmark: BenchmarkFixture, wide_ring: BenchCluster, event: str) -> None:
    """One node's event and the first plan after it, which has to be right again."""
    query = bound_statements(1)[0]
    policy = ours_first_plan(wide_ring, query)
    node = next(host for host in wide_ring.hosts if host.datacenter == LOCAL_DC)
    slowest = 0.0

    def prepare() -> None:
        (policy.on_down if event == "up" else policy.on_up)(node)
        (node.set_down if event == "up" else node.set_up)()
        next(iter(policy.make_query_plan(None, query)))

    def happen() -> None:
        nonlocal slowest
        began = thread_time()
        (node.set_up if event == "up" else node.set_down)()
        (policy.on_up if event == "up" else policy.on_down)(node)
        next(iter(policy.make_query_plan(None, query)))
        slowest = max(slowest, thread_time() - began)

    benchmark.group = f"one node {event}"
    benchmark.extra_info |= {"row": "one node", "side": event, "per_round": 1}
    benchmark.pedantic(happen, setup=prepare, rounds=40)
    benchmark.extra_info["slowest_s"] = slowest
    plan = list(policy.make_query_plan(None, query))
    assert (node in plan) is (event == "up")
    node.set_up()
