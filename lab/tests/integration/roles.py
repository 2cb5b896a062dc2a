# SPDX-License-Identifier: Apache-2.0
"""A node with authorisation on, and sessions of roles that may do different things."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import NoHostAvailable, Session
from coordinators import pinned
from single_node import single_node
from waiting import until

from isotherm_lab.cluster.cluster import Cluster

_WITH_AUTHORISATION = {
    "authenticator": "PasswordAuthenticator",
    "authorizer": "CassandraAuthorizer",
    # What was granted counts at once.
    "permissions_validity": "0ms",
    "roles_validity": "0ms",
}


@dataclass
class Roles:
    """Sessions by what their roles may do on lab.plain and lab.counters: all, nothing, SELECT, MODIFY."""

    cluster: Cluster
    plugin: bool
    superuser: Session
    nobody: Session
    reader: Session
    writer: Session


@contextmanager
def roles_on(variant_name: str) -> Iterator[Roles]:
    """Start a node of this variant, and yield its roles."""
    sessions: list[Session] = []
    with single_node(variant_name, _WITH_AUTHORISATION) as cluster:
        cluster.start()
        address = cluster.nodes[0].address

        def logged_in(name: str, password: str) -> Session | None:
            try:
                sessions.append(pinned(address, PlainTextAuthProvider(name, password)))
                return sessions[-1]
            except NoHostAvailable:  # the first role is made some moments after CQL is up
                return None

        superuser = until(lambda: logged_in("cassandra", "cassandra"), "the first role can log in", timeout_s=60)
        superuser.execute("CREATE KEYSPACE lab WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        superuser.execute("CREATE TABLE lab.plain (key bigint PRIMARY KEY, value bigint)")
        superuser.execute("INSERT INTO lab.plain (key, value) VALUES (1, 1)")
        superuser.execute("CREATE TABLE lab.counters (key bigint PRIMARY KEY, value counter)")
        for role in ("nobody", "reader", "writer"):
            superuser.execute(f"CREATE ROLE {role} WITH PASSWORD = 'secret' AND LOGIN = true")
        superuser.execute("GRANT SELECT ON lab.plain TO reader")
        superuser.execute("GRANT MODIFY ON lab.plain TO writer")
        superuser.execute("GRANT MODIFY ON lab.counters TO writer")
        others = [logged_in(role, "secret") for role in ("nobody", "reader", "writer")]
        try:
            yield Roles(cluster, variant_name == "isotherm", superuser, *others)
        finally:
            for session in sessions:
                session.cluster.shutdown()
