# SPDX-License-Identifier: Apache-2.0
"""The benchmark of whole requests: its stub is compiled here, and the client that is measured gets all its answers."""

import json
import subprocess
import sys

import pytest
from cassandra import InvalidRequest
from cassandra.cluster import Cluster, ExecutionProfile
from cassandra.policies import RoundRobinPolicy
from stub_nodes import END_TO_END, FIRST, NODES, PORT


@pytest.mark.usefixtures("nodes")
def test_the_measured_client_gets_every_answer() -> None:
    options = {"address": FIRST, "port": PORT, "hosts": NODES, "rounds": 2, "requests": 100}
    command = [sys.executable, str(END_TO_END / "client.py")]
    command += [text for name, value in options.items() for text in (f"--{name}", str(value))]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=120).stdout)
    policies = {"stock", "isotherm", "isotherm-queue-aware", "isotherm and its row factory"}
    assert [set(figures) for figures in report["rounds"]] == [policies] * 2
    assert all(seconds > 0 for figures in report["rounds"] for pair in figures.values() for seconds in pair)


@pytest.mark.usefixtures("nodes")
def test_a_request_that_the_table_does_not_have_fails() -> None:
    profile = ExecutionProfile(load_balancing_policy=RoundRobinPolicy())
    cluster = Cluster(
        [FIRST], port=PORT, protocol_version=4, execution_profiles={"default": profile},
        connect_timeout=30, control_connection_timeout=30,
    )  # fmt: skip
    with cluster, pytest.raises(InvalidRequest, match="the stub has no answer to it"):
        cluster.connect().execute("SELECT * FROM nowhere.nothing", execution_profile="default")
