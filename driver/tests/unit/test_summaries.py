# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks write: the rows of a whole request's costs, and the promises held against a summary of plans."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.skipif(
    not BENCHMARKS.exists(), reason="the benchmarks are in the repository, not in the sdist"
)


def loaded(file: str) -> ModuleType:
    """Return a module of the benchmarks, two of which have one name."""
    spec = spec_from_file_location(f"benchmarks_{Path(file).stem}", BENCHMARKS / file)
    made = module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def test_the_rows_of_whole_requests() -> None:
    rows = loaded("end_to_end/rows.py")
    # Processor and wall-clock seconds of 1,000 requests, by policy.
    round_of = {"stock": [0.12, 0.125], "isotherm": [0.09, 0.1], "isotherm-queue-aware": [0.096, 0.1]}
    reports = {(driver, nodes): [{"rounds": [round_of] * 4}] * 3 for driver in ("b", "a") for nodes in (3, 1)}
    made = rows.rows_of(reports, requests=1000)
    assert [(row["driver"], row["nodes"], row["policy"]) for row in made] == [
        (driver, nodes, policy) for driver in ("a", "b") for nodes in (1, 3) for policy in round_of
    ]
    stock, ours, _ = made[:3]
    assert (stock["cpu_us_per_request"], stock["requests_per_s"]) == (120, 8000)
    assert (ours["cpu_us_per_request"], ours["requests_per_s"]) == (90, 10_000)
    assert (ours["cpu_saved"], ours["cpu_saved_interval"]) == (0.25, [0.25, 0.25])
    assert (ours["requests_per_s_gained"], ours["requests_per_s_gained_interval"]) == (0.25, [0.25, 0.25])


def summary(**first_host: float) -> dict:
    """Return a summary of plans in which our first host takes 1,000 ns and the drivers' so many times as long."""
    names = ["DCAware", "RackAware", "TokenAware(DCAware)", "TokenAware(RackAware)", "TokenAware(DCAware) tablets"]
    names += ["QueueAware(DCAware)", "QueueAware(DCAware) reports, affinity"]
    first = {
        "isotherm": 1000,
        "isotherm_under_cassandra_driver": 1000,
        "scylla-driver": 25_000,
        "cassandra-driver": 11_000,
    }
    first |= {name.replace("_driver", "-driver"): times * 1000 for name, times in first_host.items()}
    drained = {"isotherm": 1000, "scylla-driver": 60_000, "ceiling": 900}
    one_node = {"median": 1, "slowest": 1}
    return {
        "rows": [{"policy": name, "first_host_ns": first, "drain_ns": drained} for name in names],
        "execute_async_us": {"isotherm": 14, "no_policy": 13.5},
        "building": {
            "seconds": {"isotherm": 1, "driver_token_map": 2},
            "bytes": {"isotherm": 1, "driver_token_map": 1},
            "one_node_ms": {"up": one_node, "down": one_node},
        },
    }


@pytest.mark.parametrize(("driver", "times"), [("scylla_driver", 24.9), ("cassandra_driver", 10.9)])
def test_a_promise_that_is_not_kept_is_said(driver: str, times: float) -> None:
    promises = loaded("promises.py").promises
    assert [each for each in promises(summary()) if not each.startswith("holds")] == []
    broken = [each for each in promises(summary(**{driver: times})) if not each.startswith("holds")]
    assert broken
    assert all(driver.replace("_", "-") in each and "TokenAware(" in each for each in broken)
