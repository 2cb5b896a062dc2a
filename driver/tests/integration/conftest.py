# SPDX-License-Identifier: Apache-2.0
"""One real cluster of three nodes, and a client of it under each driver.

Run in the environment of the lab, which has cassandra-driver; the Python of the other environment is the one that
`make test` prepares, or $ISOTHERM_SCYLLA_PYTHON.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

try:
    from isotherm_lab.cluster.cluster import Cluster
    from isotherm_lab.cluster.variants import variant
    from isotherm_lab.interruption import stop_on_signals
    from isotherm_lab.paths import project_root
except ImportError:
    collect_ignore_glob = ["test_*.py"]
else:
    from worker import Worker

    #: Other clusters may use 127.0.0.1 and up at the same time.
    FIRST_ADDRESS = int(os.environ.get("ISOTHERM_LAB_FIRST_ADDRESS", "1"))
    #: What is asked is where requests go, not how soon a busy machine serves them; below the clients' 20 s.
    PATIENT = dict.fromkeys(
        ("read_request_timeout", "write_request_timeout", "cas_contention_timeout", "range_request_timeout"), "10s"
    )

    def pytest_configure() -> None:
        """Have a run that is terminated or loses its terminal stop what it started."""
        stop_on_signals()

    def pythons() -> dict[str, Path]:
        """Return each driver's Python."""
        scylla = os.environ.get("ISOTHERM_SCYLLA_PYTHON", project_root() / ".venv-scylla" / "bin" / "python")
        return {"cassandra": Path(sys.executable), "scylla": Path(scylla)}

    @pytest.fixture(scope="session")
    def cluster() -> Iterator[Cluster]:
        """The running cluster; its nodes run the plugin, which changes nothing that a policy sees but the reports."""
        made = Cluster.create(
            "driver", [variant("isotherm-affinity")] * 3, overrides=PATIENT, first_address=FIRST_ADDRESS
        )
        made.start()
        with made:
            yield made

    @pytest.fixture(scope="session")
    def workers(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Worker]]:
        """The clients, by driver; they live as long as the cluster."""
        logs = tmp_path_factory.mktemp("clients")
        made: dict[str, Worker] = {}
        try:
            for driver, python in pythons().items():
                made[driver] = Worker(driver, python, cluster.contact_points(), logs / f"{driver}.log")
            yield made
        finally:
            for worker in made.values():
                worker.close()
