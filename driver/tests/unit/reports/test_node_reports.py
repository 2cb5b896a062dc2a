# SPDX-License-Identifier: Apache-2.0
"""What nodes publish is believed while it is fresh, and nothing is made of what is missing or senseless."""

import pytest
from topology import grid

from isotherm_driver.node_reports import NodeReports


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_depth_is_believed_until_it_is_stale():
    clock, host = Clock(), grid(1, 1, 1)[0]
    reports = NodeReports(stale_after=10, clock=clock)
    assert reports.depth_of(host) is None
    reports.depths([(host.address, 120)])
    clock.now += 10
    assert reports.depth_of(host) == 120
    clock.now += 0.1
    assert reports.depth_of(host) is None


def test_what_is_unknown_or_impossible_is_left_out():
    hosts = grid(1, 1, 2)
    reports = NodeReports()
    reports.depths([(hosts[0].address, None), (hosts[1].address, -1)])
    assert [reports.depth_of(host) for host in hosts] == [None, None]
    reports.heats([("ks", "t", hosts[0].address, "cache", 1.5), ("ks", "t", hosts[1].address, "cache", 0.5)])
    assert reports.miss_ratios("ks", "t", hosts) is None
    assert reports.miss_ratios("ks", "t", hosts[1:]) == [0.5]


def test_a_subclass_that_leaves_out_the_beginning_has_the_defaults():
    class Own(NodeReports):
        def __init__(self):
            pass

    host, reports = grid(1, 1, 1)[0], Own()
    assert reports.depth_of(host) is None
    assert reports.miss_ratios("ks", "t", [host]) is None
    assert reports.tables_in_use() == [("ks", "t")]
    assert (reports.miss_floor, reports.warm_read_us) == (0.05, 500)
    reports.depths([(host.address, 7)])
    reports.heats([("ks", "t", host.address, "cache", 0.5)])
    assert reports.depth_of(host) == 7
    assert reports.miss_ratios("ks", "t", [host]) == [0.5]


def test_heat_of_two_kinds_is_not_compared():
    hosts = grid(1, 1, 2)
    reports = NodeReports()
    reports.heats([("ks", "t", hosts[0].address, "cache", 0.5), ("ks", "t", hosts[1].address, "read_time", 900.0)])
    assert reports.miss_ratios("ks", "t", hosts) is None


def test_read_times_are_parts_of_the_slowest_and_a_warm_one_is_no_warmer():
    hosts = grid(1, 1, 3)
    reports = NodeReports(warm_read_us=500)
    times = [100.0, 500.0, 2000.0]
    reports.heats([("ks", "t", host.address, "read_time", each) for host, each in zip(hosts, times, strict=True)])
    assert reports.miss_ratios("ks", "t", hosts) == [0.25, 0.25, 1.0]


def test_costs_are_parts_of_the_highest():
    hosts = grid(1, 1, 3)
    reports = NodeReports(warm_read_us=500)
    costs = [100.0, 500.0, 2000.0]
    reports.heats([("ks", "t", host.address, "disk", each) for host, each in zip(hosts, costs, strict=True)])
    assert reports.miss_ratios("ks", "t", hosts) == [0.05, 0.25, 1.0]


def test_costs_of_warm_reads_alone_are_equal():
    hosts = grid(1, 1, 3)
    reports = NodeReports(warm_read_us=500)
    for highest, expected in (
        (500.0, [1.0, 1.0, 1.0]),
        (510.0, [490 / 510, 490 / 510, 1.0]),
        (800.0, [0.25, 0.25, 1.0]),
        (1000.0, [0.1, 0.2, 1.0]),
    ):
        costs = [100.0, 200.0, highest]
        reports.heats([("ks", "t", host.address, "disk", each) for host, each in zip(hosts, costs, strict=True)])
        assert reports.miss_ratios("ks", "t", hosts) == expected


def test_costs_of_nothing_are_equal():
    hosts = grid(1, 1, 2)
    reports = NodeReports()
    reports.heats([("ks", "t", host.address, "disk", 0.0) for host in hosts])
    assert reports.miss_ratios("ks", "t", hosts) == [1.0, 1.0]


def test_a_source_that_nobody_knows_is_no_heat():
    [host] = grid(1, 1, 1)
    reports = NodeReports()
    reports.heats([("ks", "t", host.address, "moonlight", 0.5)])
    assert reports.miss_ratios("ks", "t", [host]) is None


def test_an_address_is_parsed_once_for_each_report_and_host(monkeypatch):
    hosts = grid(1, 1, 3)
    reports = NodeReports()
    reports.depths([(host.address, 7) for host in hosts])
    reports.heats([("ks", "t", host.address, "cache", 0.5) for host in hosts])
    reports.miss_ratios("ks", "t", hosts)
    assert [reports.depth_of(host) for host in hosts] == [7, 7, 7]

    def parsed(text):
        raise AssertionError(f"{text} is parsed again")

    monkeypatch.setattr("ipaddress.ip_address", parsed)
    assert [reports.depth_of(host) for host in hosts] == [7, 7, 7]
    assert reports.miss_ratios("ks", "t", hosts) == [0.5, 0.5, 0.5]


def test_a_host_that_has_got_another_address_is_found_by_it_in_the_next_report():
    host = grid(1, 1, 1)[0]
    reports = NodeReports()
    reports.depths([(host.address, 7)])
    assert reports.depth_of(host) == 7
    host.broadcast_address = "10.9.9.9"
    reports.depths([("10.9.9.9", 8)])
    assert reports.depth_of(host) == 8


@pytest.mark.parametrize("floor", [0, -0.1, 1.1, float("nan")])
def test_a_floor_that_nodes_refuse_is_refused(floor):
    with pytest.raises(ValueError, match="miss_floor is"):
        NodeReports(miss_floor=floor)


@pytest.mark.parametrize("seconds", [0, -1, None, float("nan"), "10"])
def test_a_time_for_which_no_report_would_count_is_refused(seconds):
    with pytest.raises(ValueError, match=f"^stale_after is {seconds}, allowed: above 0$"):
        NodeReports(stale_after=seconds)


def test_reports_may_count_for_ever():
    clock, host = Clock(), grid(1, 1, 1)[0]
    reports = NodeReports(stale_after=float("inf"), clock=clock)
    reports.depths([(host.address, 7)])
    clock.now += 1e9
    assert reports.depth_of(host) == 7


def test_tables_are_in_use_for_a_minute_after_they_were_asked_for():
    clock, host = Clock(), grid(1, 1, 1)[0]
    reports = NodeReports(clock=clock)
    assert reports.tables_in_use() == []
    reports.miss_ratios("ks", "t", [host])
    for _ in range(3):
        assert reports.tables_in_use() == [("ks", "t")]
        clock.now += 29
    assert reports.tables_in_use() == []
    reports.heats([("ks", "t", host.address, "cache", 0.5), ("ks", "other", host.address, "cache", 0.5)])
    reports.miss_ratios("ks", "t", [host])
    assert reports.tables_in_use() == [("ks", "t")]
