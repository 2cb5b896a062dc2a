# SPDX-License-Identifier: Apache-2.0
"""What is said of a plan is the plan, and true of each of its hosts."""

import doctest

import pytest
from cassandra import ConsistencyLevel
from policy_pairs import LOCAL_DC
from queue_aware_policy import queue_aware_over
from topology import IS_SCYLLA, KEYSPACE, TABLE, grid, grown, populated, ring_of, statement

import isotherm_driver
from isotherm_driver import explaining
from isotherm_driver.explaining import explain
from isotherm_driver.queue_aware import QueueAwarePolicy


def said(policy, query=None) -> list[tuple[str, ...]]:
    return [choice.because for choice in explain(policy, query)]


def test_the_examples() -> None:
    assert doctest.testmod(explaining).failed == 0
    assert doctest.testmod(explaining).attempted > 5


def test_hosts_in_turn() -> None:
    hosts = grid(2, 1, 2)
    policy = grown(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC, 1), None, hosts)
    explained = explain(policy)
    assert [choice.host for choice in explained] == [*hosts[:2], hosts[2]]
    assert said(policy)[2] == ("remote datacenter dc2", "in its turn")
    assert str(explain(grown(isotherm_driver.RoundRobinPolicy(), None, []))) == "no host"


def test_replicas_come_first_and_the_others_are_none() -> None:
    hosts = grid(1, 1, 5)
    policy = isotherm_driver.TokenAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), shuffle_replicas=True)
    populated(policy, ring_of(hosts), hosts)
    assert (
        said(policy, statement(b"key"))
        == [("local datacenter", "replica")] * 3 + [("local datacenter", "no replica, in its turn")] * 2
    )
    assert said(policy) == [("local datacenter", "in its turn")] * 5
    policy.shuffle_replicas = False
    assert said(policy, statement(b"key"))[0][2:] == ("in the ring's order",)


def test_a_stable_order_says_why() -> None:
    hosts = grid(1, 1, 3)
    policy = isotherm_driver.TokenAwarePolicy(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), shuffle_replicas=True)
    populated(policy, ring_of(hosts), hosts)
    for query in (statement(b"key", lwt=True), statement(b"key", consistency_level=ConsistencyLevel.SERIAL)):
        assert all("lightweight transaction" in because[2] for because in said(policy, query))


def test_the_host_that_the_query_names() -> None:
    hosts = grid(1, 1, 3)
    policy = populated(
        isotherm_driver.DefaultLoadBalancingPolicy(isotherm_driver.RoundRobinPolicy()), ring_of(hosts), hosts
    )
    query = statement(b"key")
    query.target_host = hosts[2].address
    assert [because[0] == "named by the query" for because in said(policy, query)] == [True, False, False]
    hosts[2].set_down()
    assert not any("named by the query" in because for because in said(policy, query))
    translated = hosts[1]
    translated.broadcast_rpc_address = query.target_host = "192.168.0.2"
    assert [because[0] == "named by the query" for because in said(policy, query)][:1] == [True]
    assert explain(policy, query).choices[0].host is translated


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver makes a token map in any case")
def test_without_a_token_map_hosts_come_in_turn() -> None:
    hosts = grid(1, 1, 3)
    ring = ring_of(hosts)
    ring.metadata.token_map = None
    policy = populated(isotherm_driver.TokenAwarePolicy(isotherm_driver.RoundRobinPolicy()), ring, hosts)
    assert said(policy, statement(b"key")) == [("local", "in its turn")] * 3


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver has no tablets")
def test_replicas_of_a_tablet_that_are_not_shuffled() -> None:
    from cassandra.tablets import Tablet

    hosts = grid(1, 1, 3)
    ring = ring_of(hosts)
    replicas = [(each.host_id, 0) for each in hosts[:2]]
    ring.metadata._tablets.add_tablet(KEYSPACE, TABLE, Tablet(-(2**63), 2**63 - 1, replicas))
    for child, stable in (
        (isotherm_driver.RoundRobinPolicy(), "in the tablet's order"),
        (
            isotherm_driver.HostFilterPolicy(isotherm_driver.RoundRobinPolicy(), lambda host: True),
            "in the child's order",
        ),
    ):
        policy = populated(isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=False), ring, hosts)
        assert said(policy, statement(b"key"))[0][2:] == ("in the child's order",)
        assert said(policy, statement(b"key", lwt=True))[0][2].startswith(stable)


def test_where_a_host_is_for_a_policy() -> None:
    hosts = grid(2, 1, 1)
    assert said(grown(isotherm_driver.RoundRobinPolicy(), None, hosts)) == [("local", "in its turn")] * 2
    near = grown(isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC), None, hosts)
    policy = populated(isotherm_driver.DefaultLoadBalancingPolicy(near), ring_of(hosts), hosts)
    query = statement(b"key")
    query.target_host = hosts[1].address
    assert [because[:2] for because in said(policy, query)] == [
        ("named by the query", "ignored by the policy otherwise"),
        ("local datacenter", "in its turn"),
    ]


def test_who_is_busy_and_who_reads_by_itself() -> None:
    hosts = grid(1, 1, 3)
    in_flight = dict.fromkeys(hosts, 3)
    policy = queue_aware_over(hosts, in_flight=in_flight.get, affinity=True)
    first, *others = said(policy, statement(b"key"))
    assert first == ("local datacenter", "replica", "reads the partition itself", "3 requests in flight")
    assert others == [("local datacenter", "replica", "3 requests in flight")] * 2
    in_flight[explain(policy, statement(b"key")).choices[0].host] = 64
    last = said(policy, statement(b"key"))[2]
    assert last[2:] == ("reads the partition itself", "64 requests in flight", "busy, so later")


def test_who_comes_no_later_for_being_busy() -> None:
    hosts = grid(2, 1, 3)
    far = queue_aware_over(hosts, in_flight=lambda each: 1000)
    by_datacenter = {choice.host.datacenter: choice.because for choice in explain(far, statement(b"key"))}
    assert by_datacenter["dc1"][-2:] == ("1000 requests in flight", "busy, so later")
    assert "busy, so later" not in by_datacenter["dc2"]
    child = isotherm_driver.HostFilterPolicy(isotherm_driver.RoundRobinPolicy(), lambda host: True)
    filtered = populated(QueueAwarePolicy(child, in_flight=lambda each: 1000), ring_of(hosts), hosts)
    for because in said(filtered, statement(b"key")):
        assert "busy, so later" not in because


@pytest.mark.skipif(not IS_SCYLLA, reason="cassandra-driver has no tablets")
def test_the_leader_of_a_tablet() -> None:
    from cassandra.metadata import _ConsistencyMode
    from cassandra.tablets import Tablet

    hosts = grid(1, 1, 4)
    ring = ring_of(hosts)
    replicas = [(each.host_id, 0) for each in (hosts[3], hosts[1])]
    ring.metadata._tablets.add_tablet(KEYSPACE, TABLE, Tablet(-(2**63), 2**63 - 1, replicas, 7))
    ring.metadata.keyspaces[KEYSPACE]._consistency_mode = _ConsistencyMode.GLOBAL
    policy = populated(isotherm_driver.TokenAwarePolicy(isotherm_driver.RoundRobinPolicy()), ring, hosts)
    explained = explain(policy, statement(b"key"))
    assert explained.choices[0].host is hosts[3]
    assert "leader of the tablet" in explained.choices[0].because
    assert ["replica" in choice.because for choice in explained] == [True, True, False, False]
    policy.shuffle_replicas = False
    assert said(policy, statement(b"key"))[1][2:] == ("in the tablet's order",)
    hosts[3].set_down()
    because = said(policy, statement(b"key"))
    assert because[0] == ("local", "replica", "in the child's order")
    assert not any("leader of the tablet" in each for each in because)
