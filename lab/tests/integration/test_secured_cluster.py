# SPDX-License-Identifier: Apache-2.0
"""Three nodes that speak nothing but TLS, with passwords and permissions, and the plugin on but for fair shares."""

import json
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Session
from cassandra.protocol import ConfigurationException
from certificates import Certificates
from coordinators import execute_all, pinned
from permission_contract import PermissionContract
from plugin_permissions import PluginPermissions
from plugin_views import LogMark, change_setting, counts, heat
from roles import PASSWORD, WITH_AUTHORISATION, Roles, roles_of
from shared_cluster import FIRST_ADDRESS, PATIENT, ROW_CACHE
from wait_warm import waited
from waiting import until

from isotherm_lab.cluster.cluster import Cluster, addresses
from isotherm_lab.cluster.cql_ping import answers_cql
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.preflight import CQL_PORT, STORAGE_PORT
from isotherm_lab.cluster.variants import variant
from isotherm_lab.paths import project_root

pytestmark = [pytest.mark.long, pytest.mark.contract]

ADDRESSES = addresses(3, FIRST_ADDRESS)
CLIENT = str(Path(__file__).with_name("secured_client.py"))
PYTHONS = {"cassandra": sys.executable, "scylla": str(project_root() / ".venv-scylla" / "bin" / "python")}
FEATURES = {section: {"enabled": True} for section in ("heat", "guard", "limit", "queue", "warming")}
#: A short memory, so that tests need not wait for it.
FEATURES["heat"] |= {"source": "cache", "smoothing": "500ms"}
KEYS = range(100)
QUORUM, ALL = 4, 5
_CONNECTED = "successfully connected"
_PEERS = re.compile(r"/(?P<of>[\d.]+):\d+\(\S+\)->/(?P<to>[\d.]+):")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates.of(ADDRESSES, tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def roles(certificates: Certificates) -> Iterator[Roles]:
    tls = certificates.of_client()
    overrides = WITH_AUTHORISATION | certificates.cassandra_yaml() | {"row_cache_size": "32MiB"} | PATIENT
    with Cluster.create(
        "integration-secured", [variant("isotherm")] * 3, overrides=overrides, isotherm_overrides=FEATURES,
        first_address=FIRST_ADDRESS, tls=tls,
    ) as cluster:  # fmt: skip
        cluster.start()
        with roles_of(cluster, tls) as roles:
            roles.superuser.execute(f"CREATE TABLE lab.cached (key bigint PRIMARY KEY, value bigint) WITH {ROW_CACHE}")
            insert = roles.superuser.prepare("INSERT INTO lab.cached (key, value) VALUES (?, ?)")
            execute_all(roles.superuser, insert, [(key, key) for key in KEYS], ALL)
            yield roles


@pytest.fixture(scope="module")
def third(roles: Roles, certificates: Certificates) -> Iterator[Session]:
    """The superuser's session of the third node."""
    auth = PlainTextAuthProvider("cassandra", "cassandra")
    session = pinned(ADDRESSES[2], auth=auth, tls=certificates.of_client())
    yield session
    session.cluster.shutdown()


def read_all(roles: Roles, level: int) -> None:
    select = roles.superuser.prepare("SELECT value FROM lab.cached WHERE key = ?")
    execute_all(roles.superuser, select, [(key,) for key in KEYS], level)


def lets_in(address: str, tls: ssl.SSLContext) -> bool:
    """Whether a node takes somebody for a node who has this and no certificate."""
    try:
        with (
            socket.create_connection((address, STORAGE_PORT), timeout=60) as plain,
            tls.wrap_socket(plain, server_hostname=address) as stranger,
        ):
            # With TLS 1.3 a client without certificate is told so by the first bytes.
            return stranger.recv(1) != b""
    except TimeoutError:
        return True  # it waits for what a node would say
    except OSError:
        return False


def messaging_connections(node: Node) -> list[str]:
    """Return what a node's log says of the connections to and from other nodes."""
    entries = LogMark(node, 0).lines("org.apache.cassandra.net")
    return [entry for entry in entries if "messaging connection established" in entry or _CONNECTED in entry]


def speaks_with_both_others(node: Node) -> bool:
    """Whether a node has connections to and from each of the others: gossip alone makes them."""
    entries = messaging_connections(node)
    of, to = ({_PEERS.search(entry).group(end) for entry in entries} for end in ("of", "to"))
    return of == to == set(ADDRESSES)


def test_no_node_speaks_without_tls_nor_to_strangers(roles: Roles, certificates: Certificates):
    for node in roles.cluster.nodes:
        assert node.answers()
        assert not answers_cql(node.address, CQL_PORT, timeout_s=10)
        assert not lets_in(node.address, certificates.of_client())
        # A connection is made when there is a first message for it.
        until(lambda node=node: speaks_with_both_others(node), f"{node.address} speaks with both others")
        established = messaging_connections(node)
        assert all("encryption = encrypted(" in entry for entry in established), established


def all_are_warm(roles: Roles) -> bool:
    """Read everything on all nodes; return whether the first one knows that each of them has it in memory."""
    read_all(roles, ALL)
    rows = heat(roles.superuser, "cached")
    return set(rows) == set(ADDRESSES) and all((row.hit_ratio or 0) > 0.9 for row in rows.values())


def test_nodes_tell_each_other_their_heat(roles: Roles):
    until(lambda: all_are_warm(roles), "node 1 knows that all are warm", timeout_s=60)
    assert counts(roles.superuser)["ReportsAccepted"] > 0
    guarded = {row.address for row in roles.superuser.execute("SELECT address FROM isotherm.replicas")}
    assert guarded >= set(ADDRESSES[1:])
    rollout = {row.address: row.up for row in roles.superuser.execute("SELECT address, up FROM isotherm.rollout")}
    assert rollout == dict.fromkeys(ADDRESSES, True)


def test_a_node_out_of_reads_comes_back_cold_and_is_warmed_by_copies(roles: Roles, third: Session):
    def guard() -> str:
        query = "SELECT guard FROM isotherm.replicas WHERE address = %s"
        return roles.superuser.execute(query, (ADDRESSES[2],)).one().guard

    # A read that is sent to a third replica for good measure may show the node that it is cold while it is still out.
    mark = LogMark.end_of(roles.cluster.nodes[2])
    before = counts(third)["WarmingCopiesServed"]
    change_setting(third, "guard.out_of_reads", "30m")
    until(lambda: guard() == "out", "node 1 leaves node 3 out of its reads")
    # What is read meanwhile is warm on the others alone.
    roles.superuser.execute("TRUNCATE lab.cached")
    insert = roles.superuser.prepare("INSERT INTO lab.cached (key, value) VALUES (?, ?)")
    execute_all(roles.superuser, insert, [(key, key) for key in KEYS], ALL)
    for _ in range(3):
        read_all(roles, QUORUM)
    change_setting(third, "guard.out_of_reads", "0s")
    # On a busy machine it may be late besides.
    until(lambda: guard() != "out", "node 1 may read from node 3 again")

    def warmed() -> bool:
        read_all(roles, QUORUM)
        return counts(third)["WarmingCopiesServed"] > before

    until(warmed, "node 3 serves copies", timeout_s=60)
    assert any("asks for copies of their reads" in entry for entry in mark.lines("dev.isotherm"))


def test_counters_are_led_by_a_replica_that_was_chosen(roles: Roles):
    roles.superuser.execute(
        "CREATE KEYSPACE two WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}"
    )
    roles.superuser.execute("CREATE TABLE two.counters (key bigint PRIMARY KEY, value counter)")
    update = roles.superuser.prepare("UPDATE two.counters SET value = value + 1 WHERE key = ?")
    execute_all(roles.superuser, update, [(key,) for key in KEYS] * 2, QUORUM)
    select = roles.superuser.prepare("SELECT value FROM two.counters WHERE key = ?")
    assert {roles.superuser.execute(select, (key,)).one().value for key in KEYS} == {2}
    counted = counts(roles.superuser)
    # Of a third of the counters node 1 is no replica: others lead them, of whose queues it knows.
    assert counted["LeaderLocal"] > 0
    assert counted["LeaderRedirected"] + counted["LeaderLeastLoaded"] > 0

    def heard() -> bool:
        execute_all(roles.superuser, update, [(key,) for key in KEYS], QUORUM)
        rows = roles.superuser.execute("SELECT address, last_answer FROM isotherm.queues")
        return {row.address for row in rows if row.last_answer is not None} == set(ADDRESSES)

    until(heard, "node 1 knows the queues of all")


def test_a_limit_is_refused_with_its_message_whoever_decides(roles: Roles):
    roles.superuser.execute(
        "CREATE TABLE two.limited (key bigint PRIMARY KEY) WITH per_partition_rate_limit ="
        " {'max_reads_per_second': 0, 'max_writes_per_second': 0}"
    )
    # Of some of these keys node 1 is a replica, and of others the replicas decide that it asks.
    for key in range(20):
        with pytest.raises(ConfigurationException, match=r"two\.limited admits at most 0 writes per second"):
            roles.superuser.execute(f"INSERT INTO two.limited (key) VALUES ({key})")
        with pytest.raises(ConfigurationException, match=r"two\.limited admits at most 0 reads per second"):
            roles.superuser.execute(f"SELECT * FROM two.limited WHERE key = {key}")
    # Of so low a limit each admission is told.
    roles.superuser.execute("ALTER TABLE two.limited WITH per_partition_rate_limit = {'max_writes_per_second': 30}")
    before = counts(roles.superuser)["LimitReportsSent"]

    def told() -> bool:
        for key in range(20):
            roles.superuser.execute(f"INSERT INTO two.limited (key) VALUES ({key})")
        return counts(roles.superuser)["LimitReportsSent"] > before

    until(told, "node 1 tells other replicas what it admitted")


def entered(certificates: Certificates, driver: str, role: str) -> dict:
    """Have an application with this driver enter as a role, read, and return what it says."""
    command = [PYTHONS[driver], CLIENT, str(certificates.certificate), role, PASSWORD, "30", *ADDRESSES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("driver", PYTHONS)
def test_policies_plan_with_and_without_the_reports(roles: Roles, certificates: Certificates, driver: str):
    name = f"application_{driver}"
    roles.superuser.execute(f"CREATE ROLE {name} WITH PASSWORD = '{PASSWORD}' AND LOGIN = true")
    roles.superuser.execute(f"GRANT SELECT ON lab.cached TO {name}")
    without = entered(certificates, driver, name)
    assert without["coordinators"] == ADDRESSES
    assert without["depths"] == [None] * 3 and without["misses"] is None
    assert [line.split(",")[0] for line in without["logged"]] == [
        f"Nodes do not publish isotherm.{view}" for view in ("queues", "settings", "heat")
    ]
    for view in ("queues", "settings", "heat"):
        roles.superuser.execute(f"GRANT SELECT ON isotherm.{view} TO {name}")
    # Reports lead reads to the nodes that have the partitions in memory.
    until(lambda: all_are_warm(roles), "node 1 knows that all are warm", timeout_s=60)
    with_reports = entered(certificates, driver, name)
    assert with_reports["coordinators"] == ADDRESSES
    assert any(depth is not None for depth in with_reports["depths"])
    assert len(with_reports["misses"]) == 3
    assert with_reports["logged"] == []
    assert with_reports["failures"] == without["failures"] == 0


def test_the_operator_waits_with_the_credentials_and_certificates_of_cqlshrc(
    roles: Roles, certificates: Certificates, tmp_path: Path
):
    roles.superuser.execute(f"CREATE ROLE operator WITH PASSWORD = '{PASSWORD}' AND LOGIN = true")
    credentials, cqlshrc = tmp_path / "credentials", tmp_path / "cqlshrc"
    credentials.touch(0o600)
    credentials.write_text(f"[PlainTextAuthProvider]\nusername = operator\npassword = {PASSWORD}\n")
    cqlshrc.write_text(
        f"[authentication]\ncredentials = {credentials}\n"
        f"[ssl]\ncertfile = {certificates.certificate}\nvalidate = true\n"
    )
    options = ("--ssl", "--cqlshrc", str(cqlshrc))
    refused = waited(ADDRESSES[2], 1, *options)
    assert refused.returncode == 1, refused.stdout + refused.stderr
    assert "operator has no SELECT permission on <table isotherm.rollout>" in refused.stderr
    roles.superuser.execute("GRANT SELECT ON isotherm.rollout TO operator")
    until(lambda: all_are_warm(roles), "node 1 knows that all are warm", timeout_s=60)
    agreed = waited(ADDRESSES[2], 120, *options)
    assert agreed.returncode == 0, agreed.stdout + agreed.stderr
    assert agreed.stdout.splitlines()[-1].endswith("the next node may restart: 3 nodes agree")


class TestPermissions(PermissionContract, PluginPermissions):
    """On the first node."""


def test_nothing_of_ours_failed(roles: Roles, third: Session):
    for session in (roles.superuser, third):
        counted = counts(session)
        assert counted["Failures"] == 0
        assert {name: count for name, count in counted.items() if "Malformed" in name and count} == {}
    for node in roles.cluster.nodes:
        assert LogMark(node, 0).complaints() == []
