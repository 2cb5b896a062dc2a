# SPDX-License-Identifier: Apache-2.0
"""Requests in flight are those of the driver's own connections, wherever its pools keep them."""

import gc
import threading
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
from cassandra.connection import Connection, ConnectionBusy, ConnectionShutdown, DefaultEndPoint
from cassandra.pool import Host, HostConnection
from topology import IS_SCYLLA, drained, grid, host, populated, ring_of, statement

from isotherm_driver.busy.in_flight import PoolsInFlight
from isotherm_driver.policies import DCAwareRoundRobinPolicy
from isotherm_driver.queue_aware import QueueAwarePolicy


def connection(in_flight: int) -> Any:
    return SimpleNamespace(in_flight=in_flight)


class SilentConnection(Connection):
    """One of the driver's own connections, to a node that says nothing."""

    def __init__(self) -> None:
        super().__init__(DefaultEndPoint("10.0.0.1"))

    def push(self, data: bytes) -> None:
        pass

    def send(self, encoded: Any = lambda *message, **options: b"") -> int:
        """Borrow the connection as a pool does, and send a request; return its id."""
        with self.lock:
            self.in_flight += 1
            number: int = self.get_request_id()
        self.send_msg(None, number, cb=None, encoder=encoded)
        return number

    def time_out(self, number: int) -> None:
        """Give the request up as a response future does: its stream stays in use until the node answers."""
        self._requests.pop(number)
        self.orphaned_request_ids.add(number)


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
    """Return a cluster of sessions with these pools, which lists the hosts of the first."""
    metadata = SimpleNamespace(all_hosts=lambda: list(pools[0]))
    return SimpleNamespace(sessions=[SimpleNamespace(_pools=each) for each in pools], metadata=metadata)


@pytest.mark.parametrize(("pool", "counts"), [(drivers_pool, (5,)), (other_pool, (2, 3))])
def test_they_are_those_of_all_sessions(pool: Any, counts: tuple[int, ...]) -> None:
    first, second = grid(1, 1, 2)
    in_flight = PoolsInFlight(cluster_of({first: pool(*counts)}, {first: pool(*counts)}))
    assert in_flight(first) == 10
    assert in_flight(second) is None


def test_a_pool_that_comes_up_is_soon_found() -> None:
    """A node that has just returned is not to be taken for an idle one."""
    (returned,) = grid(1, 1, 1)
    pools: dict[Host, Any] = {}
    cluster = cluster_of(pools)
    cluster.metadata.all_hosts = lambda: [returned]
    in_flight = PoolsInFlight(cluster)
    assert in_flight(returned) is None
    pools[returned] = other_pool(500)
    answers = [in_flight(returned) for _ in range(9)]
    assert answers[-1] == 500


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver has one connection to a host")
def test_they_are_those_of_all_shards() -> None:
    (host,) = grid(1, 1, 1)
    assert PoolsInFlight(cluster_of({host: drivers_pool(1, 2, 4)}))(host) == 7


@pytest.mark.parametrize("pool", [drivers_pool, other_pool])
@pytest.mark.parametrize("count", [-1, -2, -100])
def test_a_connection_that_was_returned_more_often_than_borrowed_has_none(pool: Any, count: int) -> None:
    """The drivers return closed connections that nobody borrowed; scylla-driver, another one than it borrowed."""
    (host,) = grid(1, 1, 1)
    assert PoolsInFlight(cluster_of({host: pool(count)}))(host) == 0
    assert PoolsInFlight(cluster_of({host: pool(count)}, {host: pool(5)}))(host) == 5


@pytest.mark.parametrize("count", [-1, -2])
def test_plans_over_such_connections_have_all_hosts(count: int) -> None:
    hosts = grid(1, 1, 3)
    ring: Any = ring_of(hosts)
    ring.sessions = cluster_of({each: drivers_pool(count) for each in hosts}).sessions
    policy = populated(QueueAwarePolicy(DCAwareRoundRobinPolicy("dc1")), ring, hosts)
    assert set(drained(policy, statement(b"key"))) == set(hosts)
    assert policy.failures == 0


@pytest.mark.parametrize("kept", [{}, {"orphaned_request_ids": None}, {"_requests": {}}])
def test_a_connection_that_keeps_no_requests_is_believed(kept: dict[str, Any]) -> None:
    (host,) = grid(1, 1, 1)
    pool = SimpleNamespace(is_shutdown=False, get_connections=lambda: [SimpleNamespace(in_flight=4, **kept)])
    assert PoolsInFlight(cluster_of({host: pool}))(host) == 4


def test_requests_that_timed_out_count_and_those_that_were_never_sent_do_not() -> None:
    (host,) = grid(1, 1, 1)
    pool = drivers_pool(0)
    silent = SilentConnection()
    if IS_SCYLLA:
        pool._connections = {0: silent}
    else:
        pool._connection = silent
    in_flight = PoolsInFlight(cluster_of({host: pool}))
    numbers = [silent.send() for _ in range(3)]
    silent.time_out(numbers[0])
    assert in_flight(host) == 3

    # The drivers do not return a connection that was too busy to take a request.
    silent._socket_writable = False
    for _ in range(100):
        with pytest.raises(ConnectionBusy):
            silent.send()
    silent._socket_writable = True
    assert silent.in_flight == 103
    assert in_flight(host) == 3


@pytest.mark.parametrize("end", ["is_closed", "is_defunct"])
def test_nothing_is_waited_for_on_a_connection_that_is_over(end: str) -> None:
    """The drivers keep the ids of requests that timed out, and its pool is not told where nothing else is under way."""
    (host,) = grid(1, 1, 1)
    ended, silent = SilentConnection(), SilentConnection()
    for each in (ended, silent):
        for number in [each.send() for _ in range(70)]:
            each.time_out(number)
    pool = SimpleNamespace(is_shutdown=False, get_connections=lambda: [ended, silent])
    in_flight = PoolsInFlight(cluster_of({host: pool}))
    assert in_flight(host) == 140
    if end == "is_closed":
        ended.is_closed = True
    else:
        ended.close = lambda: None
        ended.defunct(ConnectionShutdown("reset by peer"))
    assert ended.in_flight == 70
    assert in_flight(host) == 70


@pytest.mark.parametrize("handed_over", [weakref.proxy, lambda cluster: cluster], ids=["a proxy", "itself"])
def test_a_cluster_is_let_go_while_its_policy_lives(handed_over: Any) -> None:
    """`Cluster.connect` populates a policy with a proxy of the cluster, `add_execution_profile` with itself."""
    hosts = grid(1, 1, 12)
    cluster: Any = ring_of(hosts)
    cluster.sessions = cluster_of({each: other_pool(7) for each in hosts}).sessions
    in_flight = PoolsInFlight(handed_over(cluster))
    policy = populated(QueueAwarePolicy(DCAwareRoundRobinPolicy("dc1")), handed_over(cluster), hosts)
    assert in_flight(hosts[0]) == 7
    drained(policy, statement(b"key"))
    assert policy.failures == 0
    watched = weakref.ref(cluster)
    del cluster
    gc.collect()
    assert watched() is None
    assert [in_flight(each) for each in hosts[1:]] == [None] * 11
    for number in range(12):
        assert len(drained(policy, statement(b"%d" % number))) == 12
    assert policy.failures == 0


def test_a_request_that_could_not_be_encoded_does_not_count() -> None:
    """The drivers return the connection then, and leave the request with it."""
    (host,) = grid(1, 1, 1)

    def broken(*message: Any, **options: Any) -> bytes:
        raise OverflowError

    silent = SilentConnection()
    silent.send()
    with pytest.raises(OverflowError):
        silent.send(broken)
    silent.in_flight -= 1
    assert len(silent._requests) == 2
    pool = SimpleNamespace(is_shutdown=False, get_connections=lambda: [silent])
    assert PoolsInFlight(cluster_of({host: pool}))(host) == 1


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


def test_hosts_that_are_listed_no_more_are_let_go() -> None:
    pools: dict[Host, Any] = {}
    in_flight = PoolsInFlight(cluster_of(pools))
    watched = []
    for turn in range(1000):
        came = host(turn % 200)
        pools[came] = other_pool(turn)
        assert in_flight(came) == turn
        watched.append(weakref.ref(came))
        if len(pools) > 5:
            del pools[next(iter(pools))]
    del came
    gc.collect()
    assert sum(each() is not None for each in watched) <= 2 * 6 + 8
    assert [in_flight(each) for each in pools] == list(range(995, 1000))


def test_as_many_hosts_as_are_listed_are_looked_for_once_in_256_questions() -> None:
    hosts = grid(1, 1, 150)
    cluster = cluster_of({each: other_pool(1) for each in hosts})
    looked = []
    cluster.sessions[0]._pools = SimpleNamespace(get=lambda each: looked.append(each) or other_pool(1))
    in_flight = PoolsInFlight(cluster)
    for _ in range(200):
        assert [in_flight(each) for each in hosts] == [1] * 150
    assert len(looked) == 150


class Connecting(weakref.WeakSet):
    """The sessions of a cluster, to which another thread adds one while they are gone through, as often as is said."""

    def __init__(self, sessions: list[Any]) -> None:
        super().__init__(sessions)
        self.kept, self.coming = list(sessions), 0

    def __iter__(self) -> Any:
        for each in super().__iter__():
            if self.coming:
                self.coming -= 1
                self.kept.append(Session({}))
                self.add(self.kept[-1])
            yield each


class Session:
    def __init__(self, pools: dict[Host, Any]):
        self._pools = pools


@pytest.mark.parametrize("coming", [0, 1, 2, 10])
def test_sessions_that_come_meanwhile_take_away_no_count(coming: int) -> None:
    hosts = grid(1, 1, 3)
    ring: Any = ring_of(hosts)
    busy, idle = ({each: other_pool(count) for each in hosts} for count in (7, 0))
    ring.sessions = Connecting([Session(busy), Session(idle)])
    in_flight = PoolsInFlight(ring)
    policy = populated(QueueAwarePolicy(DCAwareRoundRobinPolicy("dc1")), ring, hosts)
    ring.sessions.coming = coming
    # Where a session comes whenever they are gone through, nothing is known of the host yet.
    assert in_flight(hosts[0]) == (7 if coming < 2 else None)
    ring.sessions.coming = 0
    assert in_flight(hosts[0]) == 7
    ring.sessions.coming = coming
    assert [in_flight(hosts[0]) for _ in range(600)] == [7] * 600
    ring.sessions.coming = coming
    for number in range(20):
        assert len(drained(policy, statement(b"%d" % number))) == 3
    assert policy.failures == 0


def test_threads_ask_while_hosts_come_and_go() -> None:
    listed: dict[Host, Any] = {}
    in_flight = PoolsInFlight(cluster_of(listed))
    wrong: list[Any] = []

    def live(first: int) -> None:
        try:
            for turn in range(1500):
                came = host(first + turn % 50)
                listed[came] = other_pool(first + turn)
                wrong.extend(each for each in [in_flight(came) for _ in range(3)] if each != first + turn)
                del listed[came]
        except Exception as problem:
            wrong.append(problem)

    threads = [threading.Thread(target=live, args=(first,)) for first in (0, 50, 100, 150)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []
