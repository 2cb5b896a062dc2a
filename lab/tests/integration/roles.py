# SPDX-License-Identifier: Apache-2.0
"""Sessions of roles that may do different things, on nodes with authorisation."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cassandra import ConsistencyLevel
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import NoHostAvailable, Session
from coordinators import pinned
from single_node import single_node
from waiting import until

from isotherm_lab.cluster.cluster import Cluster

#: Keys of cassandra.yaml.
WITH_AUTHORISATION = {
    "authenticator": "PasswordAuthenticator",
    "authorizer": "CassandraAuthorizer",
    # What was granted counts at once.
    "permissions_validity": "0ms",
    "roles_validity": "0ms",
}
#: Of every role but the first one.
PASSWORD = "secret"


@dataclass
class Roles:
    """Sessions of the first node, by what their roles may do on lab.plain and lab.counters.

    All, nothing, SELECT on the first, MODIFY on both.

    Each partition is on every node, and they read and write at QUORUM.
    """

    cluster: Cluster
    superuser: Session
    nobody: Session
    reader: Session
    writer: Session


def logged_in(address: str, name: str, password: str, tls: ssl.SSLContext | None) -> Session | None:
    """Return a session of this role, pinned to a node; None when the node does not let it in yet."""
    try:
        auth = PlainTextAuthProvider(name, password)
        return pinned(address, auth=auth, tls=tls, level=ConsistencyLevel.QUORUM)
    except NoHostAvailable:  # the first role is made some moments after CQL is up
        return None


@contextmanager
def roles_of(cluster: Cluster, tls: ssl.SSLContext | None = None) -> Iterator[Roles]:
    """Yield the roles of a running cluster with authorisation."""
    address = cluster.nodes[0].address
    sessions: list[Session] = []

    def session(name: str, password: str) -> Session:
        entered = until(lambda: logged_in(address, name, password, tls), f"{name} can log in", timeout_s=60)
        sessions.append(entered)
        return entered

    try:
        superuser = session("cassandra", "cassandra")
        superuser.execute(
            "CREATE KEYSPACE lab WITH replication ="
            f" {{'class': 'SimpleStrategy', 'replication_factor': {len(cluster.nodes)}}}"
        )
        superuser.execute("CREATE TABLE lab.plain (key bigint PRIMARY KEY, value bigint)")
        superuser.execute("INSERT INTO lab.plain (key, value) VALUES (1, 1)")
        superuser.execute("CREATE TABLE lab.counters (key bigint PRIMARY KEY, value counter)")
        for role in ("nobody", "reader", "writer"):
            superuser.execute(f"CREATE ROLE {role} WITH PASSWORD = '{PASSWORD}' AND LOGIN = true")
        superuser.execute("GRANT SELECT ON lab.plain TO reader")
        superuser.execute("GRANT MODIFY ON lab.plain TO writer")
        superuser.execute("GRANT MODIFY ON lab.counters TO writer")
        yield Roles(cluster, superuser, *(session(role, PASSWORD) for role in ("nobody", "reader", "writer")))
    finally:
        for each in sessions:
            each.cluster.shutdown()


@contextmanager
def roles_on_one_node(variant_name: str) -> Iterator[Roles]:
    """Start a node of this variant with authorisation, and yield its roles."""
    with single_node(variant_name, WITH_AUTHORISATION) as cluster:
        cluster.start()
        with roles_of(cluster) as roles:
            yield roles
