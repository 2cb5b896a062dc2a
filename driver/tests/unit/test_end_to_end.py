# SPDX-License-Identifier: Apache-2.0
"""The benchmark of whole requests: its stub is compiled here, and the client that is measured gets all its answers."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cassandra import InvalidRequest
from cassandra.cluster import Cluster, ExecutionProfile
from cassandra.policies import RoundRobinPolicy

END_TO_END = Path(__file__).parents[2] / "benchmarks" / "end_to_end"
FIRST = f"127.0.0.{os.environ.get('ISOTHERM_LAB_FIRST_ADDRESS', '1')}"
PORT, NODES = 19043, 3

pytestmark = pytest.mark.skipif(
    not END_TO_END.exists() or not shutil.which("cc") or not shutil.which("taskset"),
    reason="the benchmark takes the repository, a C compiler and taskset, which a wheel's trial lacks",
)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    sys.path.insert(0, str(END_TO_END))
    try:
        import stub

        program = stub.compiled(tmp_path_factory.mktemp("stub"))
        with stub.running(program, NODES, FIRST, PORT, min(os.sched_getaffinity(0))):
            yield
    finally:
        sys.path.remove(str(END_TO_END))


@pytest.mark.usefixtures("nodes")
def test_the_measured_client_gets_every_answer() -> None:
    options = {"address": FIRST, "port": PORT, "hosts": NODES, "rounds": 2, "requests": 100}
    command = [sys.executable, str(END_TO_END / "client.py")]
    command += [text for name, value in options.items() for text in (f"--{name}", str(value))]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout)
    policies = {"stock", "isotherm", "isotherm-queue-aware", "isotherm and its row factory"}
    assert [set(figures) for figures in report["rounds"]] == [policies] * 2
    assert all(seconds > 0 for figures in report["rounds"] for pair in figures.values() for seconds in pair)


@pytest.mark.usefixtures("nodes")
def test_a_request_that_the_table_does_not_have_fails() -> None:
    profile = ExecutionProfile(load_balancing_policy=RoundRobinPolicy())
    cluster = Cluster([FIRST], port=PORT, protocol_version=4, execution_profiles={"default": profile})
    with cluster, pytest.raises(InvalidRequest, match="the stub has no answer to it"):
        cluster.connect().execute("SELECT * FROM nowhere.nothing", execution_profile="default")
