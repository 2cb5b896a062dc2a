# SPDX-License-Identifier: Apache-2.0
"""The cluster that plans are made for: 5 datacenters x 3 racks x 3 nodes, 256 vnodes each, RF 3 in each datacenter."""

import random
import uuid
from types import SimpleNamespace

from cassandra.connection import Connection
from cassandra.cqltypes import LongType
from cassandra.metadata import KeyspaceMetadata, Metadata, Murmur3Token
from cassandra.policies import SimpleConvictionPolicy
from cassandra.pool import Host, HostConnection
from cassandra.protocol import ColumnMetadata
from cassandra.query import PreparedStatement

MURMUR3 = "org.apache.cassandra.dht.Murmur3Partitioner"
KEYSPACE, TABLE = "shop", "orders"
DCS = [f"dc{number}" for number in range(1, 6)]
RACKS = [f"rack{number}" for number in range(1, 4)]
NODES, VNODES, FACTOR = 3, 256, 3
LOCAL_DC, LOCAL_RACK = DCS[0], RACKS[0]
TABLETS = 512


def hosts_of(dcs: list[str], racks: list[str], nodes: int) -> list[Host]:
    """Return that many hosts in each rack, all marked up: the token-aware policies plan no other."""
    made = []
    for dc in dcs:
        for rack in racks:
            for _ in range(nodes):
                number = len(made) + 1
                host = Host(
                    f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", SimpleConvictionPolicy,
                    datacenter=dc, rack=rack, host_id=uuid.UUID(int=number),
                )  # fmt: skip
                host.broadcast_rpc_address = host.address
                host.set_up()
                made.append(host)
    return made


def tokens_of(hosts: list[Host], vnodes: int) -> dict[Host, list[str]]:
    """Return as many random tokens for each host, the same in every run."""
    source = random.Random(7)
    return {host: [str(source.getrandbits(64) - 2**63) for _ in range(vnodes)] for host in hosts}


def pool_of_one() -> HostConnection:
    """Return one of the driver's own pools with one of its own connections, which three requests wait for."""
    connection = Connection.__new__(Connection)
    connection.in_flight = 3
    pool = HostConnection.__new__(HostConnection)
    pool._connection, pool._connections = connection, {0: connection}
    return pool


class BenchCluster:
    """What policies and sessions see of a Cluster that has learned its ring and one keyspace."""

    def __init__(self, hosts: list[Host], vnodes: int = VNODES):
        self.hosts = hosts
        self.endpoints_resolved = [hosts[0].endpoint]
        self.metadata = Metadata()
        for host in hosts:
            self.metadata.add_or_return_host(host)
        self.metadata.rebuild_token_map(MURMUR3, tokens_of(hosts, vnodes))
        factors = {dc: str(FACTOR) for dc in {host.datacenter for host in hosts}}
        self.metadata.keyspaces[KEYSPACE] = KeyspaceMetadata(KEYSPACE, True, "NetworkTopologyStrategy", factors)
        self.sessions = [SimpleNamespace(_pools={host: pool_of_one() for host in hosts})]


def prepared(protocol_version: int = 4) -> PreparedStatement:
    """Return a prepared SELECT by a partition key of one bigint."""
    columns = [ColumnMetadata(KEYSPACE, TABLE, "id", LongType)]
    return PreparedStatement(columns, b"0123456789abcdef", [0], "SELECT", KEYSPACE, protocol_version, columns, b"meta")


def bound_statements(count: int) -> list:
    """Return statements for that many random keys, as execute() gets them from the prepared one."""
    source, statement = random.Random(11), prepared()
    return [statement.bind([source.getrandbits(63)]) for _ in range(count)]


def tablets_like(ring: BenchCluster) -> None:
    """Cover the ring by tablets with a replica list each, as scylla-driver learns them from answers."""
    from cassandra.tablets import Tablet

    source, step = random.Random(13), 2**64 // TABLETS
    by_dc = [[host for host in ring.hosts if host.datacenter == dc] for dc in DCS]
    for number in range(TABLETS):
        first = -(2**63) + number * step
        replicas = [(host.host_id, 0) for local in by_dc for host in source.sample(local, FACTOR)]
        ring.metadata._tablets.add_tablet(KEYSPACE, TABLE, Tablet(first, first + step, replicas))


def owners(ring: BenchCluster, query) -> set[Host]:
    """Return the replicas of a statement, by the driver's own look-ups."""
    tablets = getattr(ring.metadata, "_tablets", None)
    if tablets is not None:
        tablet = tablets.get_tablet_for_key(KEYSPACE, TABLE, Murmur3Token.from_key(query.routing_key))
        if tablet is not None:
            return {ring.metadata.get_host_by_host_id(host_id) for host_id, _ in tablet.replicas}
    return set(ring.metadata.get_replicas(KEYSPACE, query.routing_key))
