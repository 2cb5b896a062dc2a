# SPDX-License-Identifier: Apache-2.0
"""What a fault is in the summary, from made-up requests and counters."""

import json
from dataclasses import replace

import numpy as np
import pytest

from isotherm_lab.experiments.gray.result import result
from isotherm_lab.measure import samples
from isotherm_lab.measure.node_counters import COLUMNS, NodeCounters
from isotherm_lab.measure.phases import FaultMoments

MOMENTS = FaultMoments(well=1000, well_ended=1010, began=1010, ended=1040, until=1080)
ADDRESSES = ("127.0.0.1", "127.0.0.2", "127.0.0.3")


def requests(slow_until: float = 1010, own_fail: bool = False) -> np.ndarray:
    """A hundred reads a second of 10 ms, each coordinator in turn; 200 ms from the beginning of the fault on."""
    times = np.arange(990, 1090, 0.01) + 0.005
    records = np.zeros(times.size, dtype=samples.RECORD)
    records["intended_us"] = np.round(times * 1e6)
    records["latency_us"] = np.where((times >= 1010) & (times < slow_until), 200_000, 10_000)
    records["coordinator"] = np.arange(times.size) % 3 + 1
    if own_fail:
        records["outcome"][(times >= 1010) & (times < 1040) & (records["coordinator"] == 3)] = 1
    return records


def counters(rate: float, away_until: float = 1010) -> NodeCounters:
    """A node that serves nothing from the beginning of the fault to a later moment."""
    times = np.arange(980.0, 1100.0)
    rates = np.where((times >= 1010) & (times < away_until), 0.0, rate)
    sums = np.concatenate([[0.0], np.cumsum(rates)[:-1]])
    return NodeCounters(times, {name: sums for name in COLUMNS})


def nodes(*away_until: float) -> dict[str, NodeCounters]:
    return {address: counters(100.0, until) for address, until in zip(ADDRESSES, away_until, strict=True)}


def test_a_fault_has_exactly_the_agreed_shape():
    read_back = json.loads(
        json.dumps(result(MOMENTS, requests(1013), nodes(0, 0, 1050), faulty=[ADDRESSES[2]], apart=[]))
    )
    assert set(read_back) == {"phases", "settled", "met", "recovered_s", "rejoined_s"}
    assert read_back["settled"] is True and read_back["met"] is True
    names = [(phase["name"], phase["from_s"], phase["to_s"]) for phase in read_back["phases"]]
    windows = [(0, 5), (5, 15), (15, 30)]
    assert names == [("well", 0, 10), *(("fault", *w) for w in windows), *(("after", *w) for w in windows)]
    for phase in read_back["phases"]:
        assert set(phase) == {"name", "from_s", "to_s", "p50_ms", "p99_ms", "mean_ms", "errors", "moved", "nodes"}
        assert set(phase["nodes"]) == set(ADDRESSES)
        assert all(set(node) == {"reads_per_s"} for node in phase["nodes"].values())
    assert (read_back["recovered_s"], read_back["rejoined_s"]) == (3, 10)
    first = read_back["phases"][1]
    assert (first["p50_ms"], first["p99_ms"], first["errors"]) == (200, 200, 0)
    # Three of its five seconds are slow.
    assert first["mean_ms"] == 124
    assert first["nodes"]["127.0.0.3"]["reads_per_s"] == 0 and first["nodes"]["127.0.0.1"]["reads_per_s"] == 100


def test_without_a_well_to_compare_with_nobody_has_recovered_or_rejoined():
    unsettled = replace(MOMENTS, settled=False)
    found = result(unsettled, requests(1013), nodes(0, 0, 1050), faulty=[ADDRESSES[2]], apart=[])
    assert (found["settled"], found["recovered_s"], found["rejoined_s"]) == (False, None, None)
    assert len(found["phases"]) == 7


@pytest.mark.parametrize(("rate", "met"), [(9, False), (40, True)])
def test_a_fault_of_a_node_that_hardly_serves_meets_nobody(rate: float, met: bool):
    hardly = nodes(0, 0, 0) | {ADDRESSES[2]: counters(rate)}
    found = [
        result(MOMENTS, requests(), hardly, faulty=faulty, apart=[])["met"] for faulty in (ADDRESSES[2:], ADDRESSES[:2])
    ]
    assert found == [met, True]


def test_reads_that_failed_are_in_the_percentiles():
    failing = requests()
    failing["outcome"][(failing["intended_us"] >= 1010e6) & (np.arange(failing.size) % 20 == 0)] = 1
    phases = result(MOMENTS, failing, nodes(0, 0, 0), faulty=[ADDRESSES[2]], apart=[])["phases"]
    assert [phase["p50_ms"] for phase in phases] == [10] * 7
    assert [phase["p99_ms"] for phase in phases] == [10, *[None] * 6]


def test_nobody_knows_when_readers_recover_of_whom_more_than_a_hundredth_failed_while_well():
    failing = requests(1013)
    failing["outcome"][(failing["intended_us"] < 1010e6) & (np.arange(failing.size) % 50 == 0)] = 1
    found = result(MOMENTS, failing, nodes(0, 0, 0), faulty=[ADDRESSES[2]], apart=[])
    assert (found["phases"][0]["p99_ms"], found["recovered_s"]) == (None, None)


def test_what_the_guard_moved_is_a_part_of_all_reads():
    seen = nodes(0, 0, 0)
    # Each counts one read a second, of a hundred that all clients send.
    for each in seen.values():
        each.values["moved"] = each.values["reads"] / 100
    run = result(MOMENTS, requests(), seen, faulty=[ADDRESSES[2]], apart=[ADDRESSES[2]])
    assert [phase["moved"] for phase in run["phases"]] == [pytest.approx(0.03)] * 7


def test_the_faulty_nodes_own_clients_are_counted_apart_and_nowhere_else():
    run = result(MOMENTS, requests(own_fail=True), nodes(0, 0, 0), faulty=[ADDRESSES[2]], apart=[ADDRESSES[2]])
    assert run["recovered_s"] == 0
    assert [phase["errors"] for phase in run["phases"]] == [0] * 7
    own = [phase["own_clients"] for phase in run["phases"]]
    assert [each["errors"] for each in own] == [0, 167, 333, 500, 0, 0, 0]
    assert own[0] == {"p50_ms": 10, "p99_ms": 10, "mean_ms": 10, "errors": 0}
    assert own[1]["p50_ms"] is None


def test_where_they_are_not_apart_they_count():
    run = result(MOMENTS, requests(own_fail=True), nodes(0, 0, 0), faulty=[ADDRESSES[2]], apart=[])
    assert run["recovered_s"] is None
    assert run["phases"][1]["errors"] == 167 and "own_clients" not in run["phases"][1]


@pytest.mark.parametrize(
    ("away_until", "rejoined"),
    [((0, 0, 0), 0), ((0, 1045, 1052), 12), ((0, 1045, 2000), None), ((0, 2000, 1045), None)],
)
def test_the_last_of_the_faulty_nodes_decides(away_until, rejoined):
    run = result(MOMENTS, requests(), nodes(*away_until), faulty=list(ADDRESSES[1:]), apart=[])
    assert run["rejoined_s"] == rejoined
