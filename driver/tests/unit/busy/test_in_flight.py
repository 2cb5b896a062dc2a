# SPDX-License-Identifier: Apache-2.0
"""Requests in flight are those of the driver's own connections, wherever its pools keep them."""

from types import SimpleNamespace
from typing import Any

import pytest
from cassandra.pool import Host, HostConnection
from topology import IS_SCYLLA, grid

from isotherm_driver.busy.in_flight import PoolsInFlight


def connection(in_flight: int) -> Any:
    return SimpleNamespace(in_flight=in_flight)


def drivers_pool(*in_flight: int) -> HostConnection:
    """Return one of the driver's own pools, with as many connections; cassandra-driver's has one at most."""
    pool = HostConnection.__new__(HostConnection)
    if IS_SCYLLA:
        pool._connections = {shard: connection(count) for shard, count in enumerate(in_flight)}
    else:
        (count,) = in_flight
        pool._connection = connection(count)
    return pool


def other_pool(*in_flight: int) -> Any:
    return SimpleNamespace(is_shutdown=False, get_connections=lambda: [connection(count) for count in in_flight])


def cluster_of(*pools: dict[Host, Any]) -> Any:
    return SimpleNamespace(sessions=[SimpleNamespace(_pools=each) for each in pools])


@pytest.mark.parametrize(("pool", "counts"), [(drivers_pool, (5,)), (other_pool, (2, 3))])
def test_they_are_those_of_all_sessions(pool: Any, counts: tuple[int, ...]) -> None:
    first, second = grid(1, 1, 2)
    in_flight = PoolsInFlight(cluster_of({first: pool(*counts)}, {first: pool(*counts)}))
    assert in_flight(first) == 10
    assert in_flight(second) is None


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver has one connection to a host")
def test_they_are_those_of_all_shards() -> None:
    (host,) = grid(1, 1, 1)
    assert PoolsInFlight(cluster_of({host: drivers_pool(1, 2, 4)}))(host) == 7


def test_a_pool_without_a_connection_has_none() -> None:
    (host,) = grid(1, 1, 1)
    pool = HostConnection.__new__(HostConnection)
    pool._connections = {}
    pool._connection = None
    assert PoolsInFlight(cluster_of({host: pool}))(host) == 0


def test_a_pool_that_shut_down_is_looked_for_again_at_once_and_a_new_one_before_long() -> None:
    (host,) = grid(1, 1, 1)
    pools = {host: drivers_pool(3)}
    in_flight = PoolsInFlight(cluster_of(pools))
    assert in_flight(host) == 3
    pools[host].is_shutdown = True
    pools[host] = drivers_pool(4)
    assert in_flight(host) == 4
    pools.clear()
    assert [in_flight(host) for _ in range(300)][-1] is None
    pools[host] = drivers_pool(5)
    assert [in_flight(host) for _ in range(300)][-1] == 5
