# SPDX-License-Identifier: Apache-2.0
"""The measured client: one session, the same connections for all policies, which take turns.

It is run by the Python whose driver is measured, and prints JSON: for each round and profile the processor seconds of
this process, all its threads, and the seconds that passed.
"""

import argparse
import gc
import json
import random
import time
from collections.abc import Callable
from typing import Any

from answers import NOTE, SELECT
from cassandra import policies as stock
from cassandra.cluster import Cluster, ExecutionProfile, Session
from cassandra.concurrent import execute_concurrent_with_args

from isotherm_driver import policies as isotherm
from isotherm_driver.queue_aware import QueueAwarePolicy
from isotherm_driver.rows import named_tuple_factory

CONCURRENCY = 32
USED_REMOTE = 1


def child(module: Any) -> Any:
    """Return the module's policy for the local datacenter, which is beneath each policy that is measured."""
    return module.DCAwareRoundRobinPolicy("dc1", used_hosts_per_remote_dc=USED_REMOTE)


def profile(policy: Any, **settings: Any) -> ExecutionProfile:
    """Return a profile with this policy, and with the driver's defaults where no setting says otherwise."""
    return ExecutionProfile(load_balancing_policy=policy, **settings)


PROFILES: dict[str, Callable[[], ExecutionProfile]] = {
    "stock": lambda: profile(stock.TokenAwarePolicy(child(stock))),
    "isotherm": lambda: profile(isotherm.TokenAwarePolicy(child(isotherm))),
    "isotherm-queue-aware": lambda: profile(QueueAwarePolicy(child(isotherm))),
    "isotherm and its row factory": lambda: profile(
        isotherm.TokenAwarePolicy(child(isotherm)), row_factory=named_tuple_factory
    ),
}


def measured(session: Session, prepared: Any, keys: list[tuple[int]], name: str) -> tuple[float, float]:
    """Execute a statement for each key; return processor seconds and seconds."""
    gc.collect()
    wall, processor = time.perf_counter(), time.process_time()
    results = execute_concurrent_with_args(
        session, prepared, keys, concurrency=CONCURRENCY, raise_on_first_error=True, execution_profile=name
    )
    processor, wall = time.process_time() - processor, time.perf_counter() - wall
    assert len(results) == len(keys)
    assert all(rows.one().note == NOTE for _, rows in results)
    return processor, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--hosts", type=int, required=True, help="how many hosts the session has connections to")
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--requests", type=int, required=True, help="with each profile in a round")
    arguments = parser.parse_args()
    profiles = {name: make() for name, make in PROFILES.items()}
    # With the driver's own 2 s and 5 s a busy machine would end the run before it measures anything.
    cluster = Cluster(
        [arguments.address], port=arguments.port, protocol_version=4, execution_profiles=profiles,
        connect_timeout=30, control_connection_timeout=30,
    )  # fmt: skip
    with cluster:
        session = cluster.connect()
        prepared = session.prepare(SELECT)
        ready = time.monotonic() + 30
        while len(session.get_pool_state()) < arguments.hosts:
            assert time.monotonic() < ready, f"connections to {session.get_pool_state().keys()} only"
            time.sleep(0.05)
        source = random.Random(11)
        rounds = []
        for number in range(-2, arguments.rounds):
            keys = [(source.getrandbits(63),) for _ in range(arguments.requests)]
            order = list(PROFILES) if number % 2 else list(PROFILES)[::-1]
            figures = {name: measured(session, prepared, keys, name) for name in order}
            if number >= 0:  # the first two rounds warm up
                rounds.append(figures)
        print(json.dumps({"connection": cluster.connection_class.__name__, "rounds": rounds}))


if __name__ == "__main__":
    main()
