# SPDX-License-Identifier: Apache-2.0
"""The native token and replica look-up against the driver's Murmur3Token and TokenMap, key by key."""

import random

import pytest
from cassandra.metadata import Murmur3Token
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_pairs import LOCAL_DC
from topology import IS_SCYLLA, KEYSPACE, Ring, drained, grid, host, populated, ring_of, statement

import isotherm_driver

STRATEGIES = {
    "simple, 1": ("SimpleStrategy", {"replication_factor": "1"}),
    "simple, 3": ("SimpleStrategy", {"replication_factor": "3"}),
    "simple, more than hosts": ("SimpleStrategy", {"replication_factor": "99"}),
    "network, one dc": ("NetworkTopologyStrategy", {"dc1": "3"}),
    "network, 1 and 2": ("NetworkTopologyStrategy", {"dc1": "1", "dc2": "2"}),
    "network, 3 each": ("NetworkTopologyStrategy", {"dc1": "3", "dc2": "3"}),
    "network, dc of nobody": ("NetworkTopologyStrategy", {"dc9": "3"}),
    "network, zero": ("NetworkTopologyStrategy", {"dc1": "0", "dc2": "2"}),
    "network, transient": ("NetworkTopologyStrategy", {"dc1": "3/1", "dc2": "2"}),
    "local": ("LocalStrategy", {}),
    "everywhere": ("org.apache.cassandra.locator.EverywhereStrategy", {}),
    "unknown": ("com.example.Strategy", {"a": "b"}),
}


class Bench:
    """A ring of 12 hosts in 2 datacenters and a policy of ours that says all replicas in the ring's order."""

    def __init__(self, vnodes: int = 16):
        self.hosts = grid(2, 3, 2)
        self.ring = ring_of(self.hosts, vnodes=vnodes)
        # Everybody is local to a round robin, so that distance changes nothing in the order of replicas.
        child = isotherm_driver.RoundRobinPolicy()
        self.policy = populated(isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=False), self.ring, self.hosts)

    def check(self, key: bytes, keyspace: str = KEYSPACE) -> None:
        expected = self.ring.replicas(key, keyspace)
        plan = drained(self.policy, statement(key, keyspace))
        assert [id(each) for each in plan[: len(expected)]] == [id(each) for each in expected], key
        assert len(plan) == len(self.hosts)


BENCH = Bench()


@settings(max_examples=3000)
@given(st.binary(max_size=100))
def test_any_key_has_the_replicas_that_the_token_map_says(key: bytes) -> None:
    BENCH.check(key)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 1000, 65_536])
def test_keys_of_every_block_length(length: int) -> None:
    source = random.Random(length)
    for _ in range(50):
        BENCH.check(source.randbytes(length))
    # Bytes of 0x80 and more are where Cassandra's murmur3 differs from everyone else's.
    BENCH.check(b"\xff" * length)
    BENCH.check(b"\x80" * length)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_keys_of_other_types_go_as_far_as_with_the_driver(kind: type) -> None:
    key = kind(b"some key")
    try:
        expected = BENCH.ring.replicas(key)
    except TypeError:
        with pytest.raises(TypeError):
            drained(BENCH.policy, statement(key))
    else:
        assert drained(BENCH.policy, statement(key))[: len(expected)] == expected


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_replication_strategy(name: str) -> None:
    bench = Bench()
    bench.ring.replicate(*STRATEGIES[name])
    source = random.Random(name)
    for _ in range(500):
        bench.check(source.randbytes(source.randrange(40)))


def test_keyspaces_are_told_apart() -> None:
    bench = Bench()
    for number, (strategy, options) in enumerate(STRATEGIES.values()):
        bench.ring.replicate(strategy, options, f"ks{number}")
    source = random.Random(1)
    for _ in range(2000):
        bench.check(source.randbytes(8), f"ks{source.randrange(len(STRATEGIES) + 1)}")


def test_a_keyspace_that_does_not_exist_has_no_replicas_until_it_does() -> None:
    bench = Bench()
    bench.check(b"key", "later")
    bench.ring.replicate("SimpleStrategy", {"replication_factor": "2"}, "later")
    assert len(bench.ring.replicas(b"key", "later")) == 2
    bench.check(b"key", "later")
    bench.ring.metadata._drop_keyspace("later")
    assert bench.ring.replicas(b"key", "later") == []
    bench.check(b"key", "later")


def test_tokens_at_and_around_every_place_on_the_ring() -> None:
    """Keys whose tokens lie where a range ends: the end is part of it, the next token is not."""
    hosts = [host(number) for number in range(1, 6)]
    ring = Ring(hosts, vnodes=1)
    keys = [str(number).encode() for number in range(300)]
    tokens = {key: Murmur3Token.from_key(key).value for key in keys}
    # Every tenth key's own token, and its neighbours, become the places of the ring.
    places = [tokens[key] + shift for key in keys[::10] for shift in (-1, 0)]
    ring._tokens = {each.host_id: [str(place) for place in places[index::5]] for index, each in enumerate(hosts)}
    ring.rebuild()
    ring.replicate("SimpleStrategy", {"replication_factor": "1"})
    child = isotherm_driver.RoundRobinPolicy()
    policy = populated(isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=False), ring, hosts)
    for key in keys:
        assert drained(policy, statement(key))[0] is ring.replicas(key)[0]


def test_the_least_and_the_greatest_token() -> None:
    hosts = [host(1), host(2), host(3)]
    ring = Ring(hosts, vnodes=1)
    ring._tokens = {hosts[0].host_id: [str(-(2**63))], hosts[1].host_id: ["0"], hosts[2].host_id: [str(2**63 - 1)]}
    ring.rebuild()
    ring.replicate("SimpleStrategy", {"replication_factor": "2"})
    child = isotherm_driver.RoundRobinPolicy()
    policy = populated(isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=False), ring, hosts)
    for number in range(500):
        key = number.to_bytes(2, "big")
        assert drained(policy, statement(key))[:2] == ring.replicas(key)


def test_a_change_of_replication_is_in_the_next_plan() -> None:
    bench = Bench()
    for factor in (1, 3, 2, 5):
        bench.ring.replicate("SimpleStrategy", {"replication_factor": str(factor)})
        for number in range(50):
            bench.check(bytes([number]))


def test_a_new_ring_is_in_the_next_plan() -> None:
    bench = Bench()
    before = [bench.ring.replicas(bytes([number])) for number in range(50)]
    bench.ring._tokens = dict(zip(bench.ring._tokens, reversed(bench.ring._tokens.values()), strict=True))
    bench.ring.rebuild()
    assert [bench.ring.replicas(bytes([number])) for number in range(50)] != before
    for number in range(50):
        bench.check(bytes([number]))


@pytest.mark.skipif(IS_SCYLLA, reason="scylla-driver's own policy raises AttributeError without a token map")
def test_without_a_token_map_the_childs_plan_stands() -> None:
    bench = Bench()
    bench.ring.metadata.token_map = None
    assert len(drained(bench.policy, statement(b"key"))) == len(bench.hosts)


@pytest.mark.parametrize("partitioner", ["RandomPartitioner", "ByteOrderedPartitioner"])
def test_other_partitioners_fall_back(partitioner: str) -> None:
    hosts = grid(1, 3, 2)
    ring = ring_of(hosts)
    tokens = {
        "RandomPartitioner": lambda number: str(number * 2**120),
        "ByteOrderedPartitioner": lambda number: bytes([number * 16]).hex(),
    }[partitioner]
    rows = {each: [tokens(number)] for number, each in enumerate(hosts, start=1)}
    ring.metadata.rebuild_token_map(f"org.apache.cassandra.dht.{partitioner}", rows)
    child = isotherm_driver.DCAwareRoundRobinPolicy(LOCAL_DC)
    policy = populated(isotherm_driver.TokenAwarePolicy(child, shuffle_replicas=False), ring, hosts)
    seen = set()
    for number in range(256):
        key = bytes([number, 1])
        expected = ring.replicas(key)
        assert drained(policy, statement(key))[: len(expected)] == expected
        seen.add(tuple(each.address for each in expected))
    assert len(seen) > 3
