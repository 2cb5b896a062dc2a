# SPDX-License-Identifier: Apache-2.0
"""How often drivers repeat a rejection, with each retry policy that they bring.

Most hand it to the application at once: each execution is rejected once by the cluster, not more.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cassandra.protocol import ConfigurationException
from partition_limits import CLOSED, decided, limit
from python_driver_executes import is_busy
from shared_cluster import TABLE_OPTIONS, SharedCluster

from isotherm_lab.cluster import classpath, configuration
from isotherm_lab.cluster.java import source_launcher
from isotherm_lab.paths import project_root

REPEATS = 20
#: How often the policies of gocql that repeat a request do so here.
RETRIES = 2
READ = "SELECT value FROM lab.closed WHERE key = 1"
WRITES = [
    "INSERT INTO lab.closed (key, value) VALUES (1, 1)",
    "INSERT INTO lab.closed (key, value) VALUES (1, 1) IF NOT EXISTS",
    "BEGIN BATCH INSERT INTO lab.closed (key, value) VALUES (1, 1);"
    " INSERT INTO lab.closed (key, value) VALUES (2, 1); APPLY BATCH",
]
PYTHON = str(Path(__file__).with_name("python_driver_executes.py"))
JAVA = "lab/node/src/test/java/dev/isotherm/lab/JavaDriverExecutes.java"


def cassandra_driver() -> list[str]:
    return [sys.executable, PYTHON]


def scylla_driver() -> list[str]:
    python = project_root() / ".venv-scylla" / "bin" / "python"
    assert python.is_file(), f"{python} is missing: `make .venv-scylla/driver` installs it"
    return [str(python), PYTHON]


def java_driver() -> list[str]:
    # Started from its source, so that it runs whatever Maven has compiled.
    return [source_launcher(), "-cp", ":".join(classpath.test_class_path()), str(project_root() / JAVA)]


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=3).execute(
        "CREATE TABLE lab.closed (key bigint PRIMARY KEY, value int)"
        f" WITH {TABLE_OPTIONS} AND {limit(reads=CLOSED, writes=CLOSED)}"
    )
    return shared_cluster


def rejections(cluster: SharedCluster, command: list[str], error: str) -> tuple[float, float]:
    """Execute each statement some times, all to end with this error; return what the cluster rejected of each."""
    before = decided(cluster, "closed")
    done = subprocess.run(
        [*command, str(REPEATS), ",".join(cluster.addresses), READ, *WRITES],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    # Not the last line: threads of the Java driver log to the same stream while they end.
    assert f"{error}={REPEATS * (1 + len(WRITES))}" in done.stdout.splitlines(), done.stdout[-2000:]
    after = decided(cluster, "closed")
    reads, writes = (after[column] - before[column] for column in ("rejected_reads", "rejected_writes"))
    return reads / REPEATS, writes / (REPEATS * len(WRITES))


@pytest.mark.parametrize(
    ("language", "program"),
    [
        ("Python, both drivers", Path(PYTHON)),
        ("Java 4, and Java 3 with its own exception of this name", project_root() / JAVA),
        ("Go", Path(__file__).with_name("gocql_executes") / "version1.go"),
        ("Go", Path(__file__).with_name("gocql_executes") / "version2.go"),
    ],
)
def test_what_the_page_shows_is_what_is_executed(language: str, program: Path):
    page = (project_root() / "docs" / "partition-limits.md").read_text(encoding="utf-8")
    shown = re.search(rf"^{re.escape(language)}:\n\n((?:    .*\n|\n)+)", page, re.MULTILINE)
    source = [re.sub(r"isBusy\d", "isBusy", line).strip() for line in program.read_text(encoding="utf-8").splitlines()]
    lines = [line.strip() for line in shown[1].splitlines() if line.strip()]
    missing = [line for line in lines if line not in source]
    assert len(lines) >= 4
    assert missing == []


def test_a_mistake_in_a_schema_is_no_refusal(cluster: SharedCluster):
    """It has the same code."""
    with pytest.raises(ConfigurationException) as mistake:
        cluster.session(0).execute("CREATE KEYSPACE nowhere WITH replication = {'class': 'Nowhere'}")
    assert not is_busy(mistake.value)
    with pytest.raises(ConfigurationException) as refusal:
        cluster.session(0).execute(READ)
    assert is_busy(refusal.value)


@pytest.mark.parametrize(
    ("driver", "error", "policy"),
    [
        (cassandra_driver, "ConfigurationException", "RetryPolicy"),
        (cassandra_driver, "ConfigurationException", "DowngradingConsistencyRetryPolicy"),
        (scylla_driver, "ConfigurationException", "RetryPolicy"),
        (scylla_driver, "ConfigurationException", "DowngradingConsistencyRetryPolicy"),
        (scylla_driver, "ConfigurationException", "ExponentialBackoffRetryPolicy"),
        (java_driver, "InvalidConfigurationInQueryException", "DefaultRetryPolicy"),
        (java_driver, "InvalidConfigurationInQueryException", "ConsistencyDowngradingRetryPolicy"),
    ],
)
def test_each_execution_is_rejected_once(cluster: SharedCluster, driver, error: str, policy: str):
    assert rejections(cluster, [*driver(), configuration.DATACENTER, policy], error) == (1, 1)


@pytest.fixture(scope="module")
def gocql(tmp_path_factory) -> Path:
    """The program that executes statements with gocql."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("there is no Go to build it with")
    program = tmp_path_factory.mktemp("gocql") / "gocql_executes"
    subprocess.run([go, "build", "-o", program, "."], cwd=Path(__file__).with_name("gocql_executes"), check=True)
    return program


@pytest.mark.parametrize("version", ["1", "2"])
@pytest.mark.parametrize(
    ("policy", "attempts"),
    [
        ("none", 1),
        ("simple", 1 + RETRIES),
        ("exponential", 1 + RETRIES),
        ("downgrading", 1 + RETRIES),
        ("pass", 1),
    ],
)
def test_gocql_repeats_what_its_policy_does_not_pass_on(
    cluster: SharedCluster, gocql: Path, version: str, policy: str, attempts: int
):
    assert rejections(cluster, [str(gocql), version, policy], "0x2300") == (attempts, attempts)
