# SPDX-License-Identifier: Apache-2.0
"""A whole execute_async of a prepared statement, without a server: with no policy, with ours, with scylla-driver's."""

from collections.abc import Iterator

import pytest
from cassandra import policies as driver
from conftest import IS_SCYLLA
from pytest_benchmark.fixture import BenchmarkFixture
from ring import BenchCluster
from rows import ROWS

import isotherm_driver

if not IS_SCYLLA:
    pytest.skip("measured under scylla-driver only", allow_module_level=True)

from sessionless import Requests

REQUESTS, ROUNDS, WARM_UP = 500, 25, 3
TOKEN_AWARE = next(row for row in ROWS if row.name == "TokenAware(DCAware)")


@pytest.fixture(scope="module")
def requests(ring: BenchCluster) -> Iterator[Requests]:
    policies = {"isotherm": isotherm_driver, "scylla-driver": driver}
    made = Requests(ring, {name: TOKEN_AWARE.policy(module, ring) for name, module in policies.items()}, REQUESTS)
    yield made
    made.close()


@pytest.mark.parametrize("side", ["no_policy", "isotherm", "scylla-driver"])
def test_execute_async(benchmark: BenchmarkFixture, requests: Requests, side: str) -> None:
    if side == "no_policy":
        run = requests.without_a_policy("isotherm")
    else:
        requests.check(side)
        run = requests.through(side)
    benchmark.group = "execute_async"
    benchmark.extra_info |= {"row": "execute_async", "side": side, "per_round": REQUESTS}
    sent = sum(pool.sent for pool in requests.pools.values())
    benchmark.pedantic(run, rounds=ROUNDS, warmup_rounds=WARM_UP)
    assert sum(pool.sent for pool in requests.pools.values()) == sent + REQUESTS * (ROUNDS + WARM_UP)
