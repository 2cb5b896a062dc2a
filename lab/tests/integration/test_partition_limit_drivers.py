# SPDX-License-Identifier: Apache-2.0
"""Drivers hand a rejection to the application at once: each execution is rejected once by the cluster, not more."""

import subprocess
import sys
from pathlib import Path

import pytest
from partition_limits import CLOSED, decided, limit
from shared_cluster import TABLE_OPTIONS, SharedCluster

from isotherm_lab.cluster import classpath, configuration
from isotherm_lab.cluster.java import java_command
from isotherm_lab.paths import project_root

REPEATS = 20
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
    return [java_command(), "-cp", ":".join(classpath.test_class_path()), str(project_root() / JAVA)]


@pytest.fixture(scope="module")
def cluster(shared_cluster: SharedCluster) -> SharedCluster:
    shared_cluster.fresh_keyspace(replication=3).execute(
        "CREATE TABLE lab.closed (key bigint PRIMARY KEY, value int)"
        f" WITH {TABLE_OPTIONS} AND {limit(reads=CLOSED, writes=CLOSED)}"
    )
    return shared_cluster


@pytest.mark.parametrize(
    ("driver", "error"),
    [
        (cassandra_driver, "ConfigurationException"),
        (scylla_driver, "ConfigurationException"),
        (java_driver, "InvalidConfigurationInQueryException"),
    ],
    ids=["cassandra-driver", "scylla-driver", "java-driver"],
)
def test_each_execution_is_rejected_once(cluster: SharedCluster, driver, error: str):
    before = decided(cluster, "closed")
    done = subprocess.run(
        [*driver(), configuration.DATACENTER, str(REPEATS), ",".join(cluster.addresses), READ, *WRITES],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == f"{error}={REPEATS * (1 + len(WRITES))}"
    after = decided(cluster, "closed")
    assert after["rejected_reads"] - before["rejected_reads"] == REPEATS
    assert after["rejected_writes"] - before["rejected_writes"] == REPEATS * len(WRITES)
