# SPDX-License-Identifier: Apache-2.0
"""Executes statements with whichever Python driver is installed and one of its retry policies, and prints the outcomes.

Arguments as those of its Java counterpart JavaDriverExecutes. Needs nothing but the driver.
"""

import sys
from collections import Counter

from cassandra import policies
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import DCAwareRoundRobinPolicy, TokenAwarePolicy
from cassandra.protocol import ConfigurationException
from cassandra.query import SimpleStatement

#: No time-out of the driver is to be among the outcomes.
PATIENT_S = 30
BUSY = ("Per-partition rate limit exceeded: ", "Fair share exceeded: ")


def is_busy(error):
    return isinstance(error, ConfigurationException) and error.message.startswith(BUSY)


def main(datacenter: str, policy: str, repeats: str, addresses: str, *queries: str) -> None:
    retry = getattr(policies, policy)
    # This one has the times of its naps as arguments.
    retrying = retry(max_num_retries=2) if policy == "ExponentialBackoffRetryPolicy" else retry()
    balancing = TokenAwarePolicy(DCAwareRoundRobinPolicy(datacenter))
    profile = ExecutionProfile(balancing, retry_policy=retrying, request_timeout=PATIENT_S)
    cluster = Cluster(
        addresses.split(","),
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        protocol_version=5,
        connect_timeout=PATIENT_S,
        control_connection_timeout=PATIENT_S,
    )
    outcomes: Counter[str] = Counter()
    try:
        session = cluster.connect()
        for query in queries:
            for _ in range(int(repeats)):
                try:
                    # Idempotent: nothing but the kind of the error keeps the driver from trying again.
                    session.execute(SimpleStatement(query, is_idempotent=True))
                    outcomes["success"] += 1
                except Exception as error:
                    outcomes[type(error).__name__ if is_busy(error) else f"Other{type(error).__name__}"] += 1
    finally:
        cluster.shutdown()
    print(" ".join(f"{name}={count}" for name, count in sorted(outcomes.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
