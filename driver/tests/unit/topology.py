# SPDX-License-Identifier: Apache-2.0
"""Clusters without a server: the installed driver's own Host, Metadata and TokenMap, filled by hand."""

import random
import uuid
from collections.abc import Iterable, Mapping, Sequence
from unittest.mock import Mock

import cassandra
from cassandra import policies as driver
from cassandra.connection import DefaultEndPoint
from cassandra.metadata import KeyspaceMetadata, Metadata
from cassandra.policies import SimpleConvictionPolicy
from cassandra.pool import Host
from cassandra.query import SimpleStatement

MURMUR3 = "org.apache.cassandra.dht.Murmur3Partitioner"
KEYSPACE = "ks"
TABLE = "t"
#: scylla-driver knows racks, tablets and which statements are LWT; cassandra-driver knows none of them.
IS_SCYLLA = hasattr(driver, "RackAwareRoundRobinPolicy")
DRIVER = f"{'scylla' if IS_SCYLLA else 'cassandra'}-driver {cassandra.__version__}"


def host(number: int, dc: str | None = "dc1", rack: str | None = "r1", up: bool | None = True) -> Host:
    """Return the host 10.0.0.`number`; `up` is what the driver believes of it (None: nothing yet)."""
    made = Host(f"10.0.0.{number}", SimpleConvictionPolicy, datacenter=dc, rack=rack, host_id=uuid.UUID(int=number))
    made.broadcast_rpc_address = made.address
    made.is_up = up
    return made


def grid(dcs: int, racks: int, nodes: int) -> list[Host]:
    """Return dcs x racks x nodes hosts, numbered from 1, datacenter after datacenter."""
    places = [(f"dc{dc}", f"r{rack}") for dc in range(1, dcs + 1) for rack in range(1, racks + 1) for _ in range(nodes)]
    return [host(number, *place) for number, place in enumerate(places, start=1)]


class Ring:
    """What a policy sees of a Cluster: its metadata, with a real token map of the hosts it was given."""

    def __init__(self, hosts: Iterable[Host], vnodes: int = 4, seed: int = 1):
        self.metadata = Metadata()
        self.endpoints_resolved = []
        self._random = random.Random(seed)
        self._vnodes = vnodes
        self._tokens: dict[uuid.UUID, list[str]] = {}
        self.hosts: list[Host] = []
        for each in hosts:
            self.add(each, rebuild=False)
        self.rebuild()

    def add(self, new: Host, rebuild: bool = True) -> None:
        """Make the host an owner of some random tokens."""
        self.hosts.append(new)
        self.metadata.add_or_return_host(new)
        self._tokens[new.host_id] = [str(self._random.getrandbits(64) - 2**63) for _ in range(self._vnodes)]
        if rebuild:
            self.rebuild()

    def remove(self, gone: Host) -> None:
        """Take the host out of the metadata and the ring."""
        self.hosts = [each for each in self.hosts if each is not gone]
        self.metadata.remove_host(gone)
        self.rebuild()

    def rename(self, moved: Host, number: int) -> None:
        """Give the host the address 10.0.0.`number`, before anybody is told, as scylla-driver does."""
        old = moved.endpoint
        moved.endpoint = DefaultEndPoint(f"10.0.0.{number}")
        moved.broadcast_rpc_address = moved.address
        if hasattr(self.metadata, "update_host"):
            self.metadata.update_host(moved, old)
        else:
            self.metadata._hosts.pop(old)
            self.metadata.add_or_return_host(moved)
        self.rebuild()

    def rebuild(self) -> None:
        """Replace the token map by a new one, as the driver does when the ring has changed."""
        self.metadata.rebuild_token_map(MURMUR3, {each: self._tokens[each.host_id] for each in self.hosts})

    def replicate(self, strategy: str, options: Mapping[str, str], keyspace: str = KEYSPACE) -> None:
        """Create the keyspace or alter its replication; the token map learns of it as from a schema event."""
        existed = keyspace in self.metadata.keyspaces
        self.metadata.keyspaces[keyspace] = KeyspaceMetadata(keyspace, True, strategy, dict(options))
        (self.metadata._keyspace_updated if existed else self.metadata._keyspace_added)(keyspace)

    def replicas(self, key: bytes, keyspace: str = KEYSPACE) -> list[Host]:
        """Return the replicas of a routing key in ring order, as the driver finds them; a copy."""
        return list(self.metadata.get_replicas(keyspace, key))


def ring_of(hosts: Sequence[Host], factor: int = 3, vnodes: int = 4, seed: int = 1) -> Ring:
    """Return a ring with the keyspace `ks`, replicated `factor` times in each datacenter that the hosts name."""
    ring = Ring(hosts, vnodes, seed)
    ring.replicate("NetworkTopologyStrategy", {each.datacenter: str(factor) for each in hosts if each.datacenter})
    return ring


class LwtStatement(SimpleStatement):
    """A statement that says it is a lightweight transaction, as prepared ones do under scylla-driver."""

    def is_lwt(self) -> bool:
        return True


def statement(key: bytes | None, keyspace: str | None = KEYSPACE, lwt: bool = False, **more) -> SimpleStatement:
    """Return a statement with this routing key."""
    made = (LwtStatement if lwt else SimpleStatement)("SELECT", routing_key=key, keyspace=keyspace, **more)
    made.table = TABLE
    return made


def populated(policy, ring: Ring | None, hosts: Sequence[Host]):
    """Populate the policy with these hosts in one call, and return it."""
    policy.populate(ring if ring is not None else Mock(metadata=Mock(), endpoints_resolved=[]), list(hosts))
    return policy


def grown(policy, ring: Ring | None, hosts: Sequence[Host]):
    """Populate the policy with nobody and add the hosts one by one, so that their order in the driver is defined."""
    populated(policy, ring, [])
    for each in hosts:
        policy.on_add(each)
    return policy


def drained(policy, query=None, keyspace: str | None = None) -> list[Host]:
    """Return the whole of one plan."""
    return list(policy.make_query_plan(keyspace, query))


def addresses(hosts: Iterable[Host]) -> list[str]:
    """Return the hosts' addresses, which pytest prints more legibly."""
    return [each.address for each in hosts]
