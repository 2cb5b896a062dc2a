# SPDX-License-Identifier: Apache-2.0
"""Time to the first host and to the last: our policies, the installed driver's, and a ready tuple of the hosts."""

from collections.abc import Callable
from time import thread_time
from typing import Any

import pytest
from cassandra import policies as driver
from conftest import IS_SCYLLA, PLANS
from pytest_benchmark.fixture import BenchmarkFixture
from ring import BenchCluster
from rows import ROWS, Row, check

import isotherm_driver

ROUNDS = 15
#: A round is repeated until it takes about as long, which is long beside the clock's own time and an interrupt.
ROUND_SECONDS = 0.01
OURS, DRIVERS, CEILING = "isotherm", "driver", "ceiling"


def first_hosts(make_query_plan: Callable, queries: list) -> Callable[[], None]:
    """Return what takes the first host of each query's plan, as ResponseFuture.send_request does."""

    def run() -> None:
        for query in queries:
            for _ in make_query_plan(None, query):
                break

    return run


def whole_plans(make_query_plan: Callable, queries: list) -> Callable[[], None]:
    """Return what takes every host of each query's plan."""

    def run() -> None:
        for query in queries:
            for _ in make_query_plan(None, query):
                pass

    return run


def repetitions(run: Callable[[], None]) -> int:
    """Return how often to repeat what is timed in a round; this also warms it up."""
    run()
    began = thread_time()
    run()
    return max(1, round(ROUND_SECONDS / (thread_time() - began)))


def cases() -> list:
    made = []
    for row in ROWS:
        if row.scylla_only and not IS_SCYLLA:
            continue
        for column, sides in [("first", [OURS, DRIVERS]), ("drain", [OURS, DRIVERS, CEILING])]:
            made += [pytest.param(row, column, side, id=f"{row.name}-{column}-{side}") for side in sides]
    return made


@pytest.mark.parametrize(("row", "column", "side"), cases())
def test_plans(
    benchmark: BenchmarkFixture, ring: BenchCluster, ring_of_tablets: BenchCluster, queries: list,
    row: Row, column: str, side: str,
) -> None:  # fmt: skip
    where = ring_of_tablets if row.tablets else ring
    policy: Any = row.policy(driver if side == DRIVERS else isotherm_driver, where)
    hosts = check(row, policy, where, queries)
    make_query_plan = policy.make_query_plan
    if side == CEILING:
        # A method in C that takes the same arguments and returns a ready tuple of the same hosts.
        make_query_plan = {None: tuple(policy.make_query_plan(None, queries[0]))}.get
    run = (first_hosts if column == "first" else whole_plans)(make_query_plan, queries)
    benchmark.group = f"{row.name} {column}"
    benchmark.extra_info |= {"row": row.name, "column": column, "side": side, "hosts": hosts, "per_round": PLANS}
    benchmark.pedantic(run, rounds=ROUNDS, iterations=repetitions(run))
    if side != CEILING:
        assert check(row, policy, where, queries) == hosts
