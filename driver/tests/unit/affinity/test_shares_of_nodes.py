# SPDX-License-Identifier: Apache-2.0
"""The policy and the nodes reckon the same shares: the test of the plugin's core reads the same file of them."""

from pathlib import Path

import pytest
from topology import KEYSPACE, TABLE, host

from isotherm_driver.affinity.shares import shares
from isotherm_driver.node_reports import NodeReports

FILE = Path(__file__).parents[4] / "core/src/test/resources/dev/isotherm/heat/shares.txt"
#: What most cases leave out: miss_floor, and warm_read in microseconds.
DEFAULTS = "0.05 500"
CASES = [
    (*line.split("; "), DEFAULTS)[:5] for line in FILE.read_text().splitlines() if not line.startswith("#")
]  # fmt: skip


def numbers(words):
    return [float(word) for word in words.split()]


@pytest.mark.parametrize(("source", "contacted", "heats", "expected", "settings"), CASES)
def test_shares_are_those_of_the_nodes(source, contacted, heats, expected, settings):
    hosts = [host(number) for number in range(1, len(heats.split()) + 1)]
    reported = [1 - heat if source == "cache" else heat / 1000 for heat in numbers(heats)]
    miss_floor, warm_read_us = numbers(settings)
    reports = NodeReports(miss_floor=miss_floor, warm_read_us=warm_read_us)
    reports.heats([(KEYSPACE, TABLE, each.address, source, heat) for each, heat in zip(hosts, reported, strict=True)])
    found = shares(reports.miss_ratios(KEYSPACE, TABLE, hosts), int(contacted), reports.miss_floor)
    assert found == pytest.approx(numbers(expected), abs=1e-7)


def test_there_are_cases_of_each_source():
    assert {source for source, *_ in CASES} == {"cache", "read_time", "disk"}
    assert len(CASES) >= 30
    assert sum(settings != DEFAULTS for *_, settings in CASES) >= 5
