# SPDX-License-Identifier: Apache-2.0
"""The metrics that the documents name are those of a running node, in JMX and by Prometheus' own exporter."""

import re
import subprocess
import time
import urllib.request
from collections import defaultdict

import pytest
from cassandra import ConsistencyLevel
from plugin_views import counts, heat
from shared_cluster import KEYSPACE, ROW_CACHE, SharedCluster
from signals import EXPORTER, documented, exported
from waiting import until

from isotherm_lab.cluster.classpath import exporter_jar
from isotherm_lab.cluster.java import java_command, source_launcher
from isotherm_lab.paths import project_root

pytestmark = pytest.mark.contract

TABLE = "measured"
KEYS = range(50)
OBSERVED = 1
EXPORTER_PORT = 9404
READER = "lab/node/src/test/java/dev/isotherm/lab/ReadsMetrics.java"


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    """The cluster, with a table of which every node knows the heat of all."""
    shared_cluster.fresh_keyspace(replication=3)
    shared_cluster.fill(TABLE, KEYS, ROW_CACHE)

    def known() -> bool:
        shared_cluster.read(0, TABLE, KEYS, ConsistencyLevel.ALL)
        shared_cluster.read(OBSERVED, TABLE, KEYS, ConsistencyLevel.QUORUM)
        return len(heat(shared_cluster.session(OBSERVED), TABLE)) == 3

    until(known, "the heat of all is known", timeout_s=60)
    return shared_cluster


def read_metrics(cluster: SharedCluster, *agent: str) -> list[str]:
    """Return the lines about what JMX of the observed node has, with this Java agent loaded into it."""
    ran = subprocess.run(
        [source_launcher(), str(project_root() / READER), str(cluster.nodes[OBSERVED].identity.pid), *agent],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.splitlines()


@pytest.fixture(scope="module")
def in_jmx(cluster: SharedCluster) -> dict[str, list[tuple[str, str]]]:
    """The scopes and types of each metric in JMX of the observed node, which looks every few seconds for new tables."""

    def with_the_table() -> list[list[str]]:
        lines = [line.rsplit(" ", 2) for line in read_metrics(cluster)]
        return lines if any(scope == f"{KEYSPACE}.{TABLE}" for _, scope, _ in lines) else []

    found = defaultdict(list)
    for name, scope, type_ in until(with_the_table, "the table has metrics"):
        found[name].append((scope, type_))
    return found


@pytest.fixture(scope="module")
def exporter(cluster: SharedCluster) -> str:
    """The address where the exporter answers, which is loaded into the observed node."""
    modules = subprocess.run([java_command(), "--list-modules"], capture_output=True, text=True, check=True).stdout
    if "jdk.httpserver" not in modules:
        # It would end the node that it is loaded into.
        pytest.skip("the exporter takes jdk.httpserver, which the Java of the nodes does not have")
    # On the node's own address, and no port that a connection may be given meanwhile.
    address = f"{cluster.addresses[OBSERVED]}:{EXPORTER_PORT}"
    read_metrics(cluster, str(exporter_jar()), f"{address}:{EXPORTER}")
    return address


def test_jmx_has_the_documented_metrics_and_no_other(in_jmx: dict[str, list[tuple[str, str]]]):
    assert set(in_jmx) == set(documented())


def test_counts_are_of_the_node_and_gauges_of_its_tables(
    cluster: SharedCluster, in_jmx: dict[str, list[tuple[str, str]]]
):
    counted = counts(cluster.session(OBSERVED))
    for name, found in in_jmx.items():
        if name in counted:
            assert found == [("-", "Long")], name
        else:
            assert (f"{KEYSPACE}.{TABLE}", "Double") in found, name
            assert exported()[name]["type"] == "GAUGE"


def test_the_exporter_makes_what_the_documents_and_the_alerts_use(cluster: SharedCluster, exporter: str):
    before = counts(cluster.session(OBSERVED))
    with urllib.request.urlopen(f"http://{exporter}/metrics", timeout=600) as answer:
        lines = answer.read().decode().splitlines()
    types = dict(re.findall(r"^# TYPE (isotherm_\w+) (\w+)$", "\n".join(lines), re.MULTILINE))
    assert types == {rule["name"]: rule["type"].lower() for rule in exported().values()}
    # Alerts ask the exporter itself when the node was started, and whether this is one that could be read.
    ours = ("isotherm_", "process_start_time_seconds", "jmx_scrape_error")
    samples = dict(line.rsplit(" ", 1) for line in lines if line.startswith(ours))
    assert float(samples["jmx_scrape_error"]) == 0
    assert 0 < time.time() - float(samples["process_start_time_seconds"]) < 86_400
    after = counts(cluster.session(OBSERVED))
    for name, rule in exported().items():
        if rule["type"] == "COUNTER":
            assert before[name] <= float(samples[rule["name"]]) <= after[name], name
    table = f'{{keyspace="{KEYSPACE}",table="{TABLE}"}}'
    # Seconds: reports come each 30 s at least.
    assert 0 <= float(samples[f"isotherm_heat_oldest_age_seconds{table}"]) < 60
    assert 0 <= float(samples[f"isotherm_heat_most{table}"]) <= 1
