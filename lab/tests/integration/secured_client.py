# SPDX-License-Identifier: Apache-2.0
"""An application with the driver package's policies that enters by TLS and password, and reads what nodes report.

Arguments: the certificate of the nodes, the role, its password, how many rows of lab.cached it reads, addresses.
Runs under either Python driver, and prints one line of JSON: which nodes coordinated, what is known of them by their
reports, what the reader logged, and how many plans failed.
"""

import json
import logging
import ssl
import sys

from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from isotherm_driver import DCAwareRoundRobinPolicy
from isotherm_driver.node_reports import NodeReports, ReportReader
from isotherm_driver.queue_aware import QueueAwarePolicy

ROUNDS = 3


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def main(certificate: str, role: str, password: str, keys: str, *addresses: str) -> None:
    logged = Lines()
    logging.getLogger("isotherm_driver").addHandler(logged)
    reports = NodeReports()
    policy = QueueAwarePolicy(DCAwareRoundRobinPolicy("dc1"), reports=reports, affinity=True)
    with Cluster(
        list(addresses[:1]),
        execution_profiles={EXEC_PROFILE_DEFAULT: ExecutionProfile(policy, request_timeout=30)},
        auth_provider=PlainTextAuthProvider(role, password),
        ssl_context=ssl.create_default_context(cafile=certificate),
        protocol_version=4,
        connect_timeout=15,
        control_connection_timeout=30,
    ) as cluster:
        session = cluster.connect(wait_for_all_pools=True)
        select = session.prepare("SELECT value FROM lab.cached WHERE key = ?")
        reader = ReportReader(session, reports)
        coordinators: set[str] = set()
        for _ in range(ROUNDS):
            assert reader.read(), "the reader ended"
            futures = [session.execute_async(select, (key,)) for key in range(int(keys))]
            for key, future in enumerate(futures):
                assert [row.value for row in future.result()] == [key]
                coordinators.add(future.coordinator_host.address)
        hosts = sorted(cluster.metadata.all_hosts(), key=lambda host: host.address)
        answer = {
            "coordinators": sorted(coordinators),
            "depths": [reports.depth_of(host) for host in hosts],
            "misses": reports.miss_ratios("lab", "cached", hosts),
            "logged": logged.lines,
            "failures": policy.failures,
        }
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
