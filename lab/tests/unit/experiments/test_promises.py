# SPDX-License-Identifier: Apache-2.0
"""What is promised of figures, and what of it ends a run."""

import copy
from typing import Any

import gray_runs
import pytest
from rich.console import Console
from terminal import shown

from isotherm_lab.errors import LabError
from isotherm_lab.experiments import promises
from isotherm_lab.experiments.cold_restart import promised as cold_restart
from isotherm_lab.experiments.gray import promised as gray
from isotherm_lab.experiments.promises import Promise
from isotherm_lab.experiments.rejection_cost import promised as rejection_cost


def state(promise: Promise) -> str:
    """Return what is said of it."""
    return promise.cells()[3]


def states(found: list[Promise]) -> dict[str, str]:
    return {each.what: state(each) for each in found}


@pytest.mark.parametrize(
    ("measured", "at_most", "at_least"),
    [
        (0.5, "kept", "broken"), (1.0, "kept", "broken"), (1.5, "missed", "missed"), (2.0, "missed", "kept"),
        (3.0, "broken", "kept"), (None, "broken", "broken"), (float("nan"), "broken", "broken"),
    ],
)  # fmt: skip
def test_a_promise_is_kept_missed_or_broken(measured: float | None, at_most: str, at_least: str):
    assert state(Promise("one", measured, 1, 2)) == at_most
    assert state(Promise("one", measured, 2, 1.5, at_least=True)) == at_least


def test_never_is_missed_where_that_is_known():
    never = Promise("one", None, 1, float("inf"))
    assert (state(never), never.shown()) == ("missed", "never")
    assert state(Promise("one", float("nan"), 1, float("inf"))) == "broken"


def test_no_error_begins_within_what_is_promised():
    for wrong in ({"bound": 2, "known": 1}, {"bound": 1, "known": 2, "at_least": True}):
        with pytest.raises(ValueError, match="is promised"):
            Promise("one", 1, **wrong)


def test_a_broken_promise_ends_the_run_and_a_missed_one_is_told():
    kept, missed, broken = Promise("a", 1, 1, 2), Promise("b", 1.5, 1, 2, unit=" s"), Promise("c", None, 1, 2)
    console = Console(width=100)
    with console.capture() as said:
        promises.report([kept, missed], console)
    assert "1.5 s" in said.get() and "missed" in said.get()
    with console.capture() as said, pytest.raises(LabError, match=r"known:\nc: never, promised at most 1$"):
        promises.report([kept, missed, broken], console)
    assert "broken" in said.get()
    with console.capture() as said:
        promises.report([], console)
    assert said.get() == ""


def test_the_table_fits_a_terminal():
    long = Promise("isotherm-affinity, exceeds: p50 of the first 5 s over that while down", 1.23, 1.15, 1.6, unit=" x")
    lines = shown(promises.table([long]))
    assert any("missed" in line for line in lines)
    assert any(long.shown() in line and long.cells()[2] in line for line in lines), lines


def test_of_a_rejection():
    rows = [
        {"partition_rows": rows, "offered": offered, "ratio": ratio}
        for rows, offered, ratio in (
            (10, "fixed", 0.46), (1, "fixed", 0.7), (10, "saturating", 0.02), (1, "saturating", 0.26),
        )
    ]  # fmt: skip
    assert list(states(rejection_cost.promises(rows)).values()) == ["missed", "broken", "kept", "broken"]


def nodes(warm: float, restarted: float) -> dict[str, dict[str, float]]:
    """Return what each node read in a phase, from the disk as well."""
    return {
        f"127.0.0.{number}": {"reads_per_s": rate, "disk_reads_per_s": rate}
        for number, rate in ((1, warm), (2, warm), (3, restarted))
    }


def cold(
    first_ms: float, rejoined: float | None, to_s: float = 40, errors: int = 0, first: float = 100, last: float = 100
) -> dict[str, Any]:
    """Return a run; `first` and `last` are the reads/s of the restarted node, beside 100 of each of the others."""
    phases = [
        {"name": "before", "p50_ms": 15, "errors": 0, "from_s": -60, "to_s": -30},
        {"name": "down", "p50_ms": 10, "errors": errors, "from_s": -20, "to_s": 0},
        {"name": "back", "p50_ms": first_ms, "errors": 0, "from_s": 0, "to_s": 5, "nodes": nodes(100, first)},
        {"name": "back", "p50_ms": 10, "errors": 0, "from_s": 5, "to_s": to_s, "nodes": nodes(100, last)},
    ]
    return {"phases": phases, "rejoined_s": rejoined, "storage": "compressor"}


def test_of_a_cold_node():
    runs = {"cassandra": cold(99, None), "isotherm": cold(12, 33)}
    assert states(cold_restart.promises("exceeds", runs)) == {
        "isotherm, exceeds: p50 of the first 5 s over that while down": "missed",
        "isotherm, exceeds: rejoined after": "kept",
        "isotherm, exceeds: disk reads of the first 5 s, from their mean": "kept",
        "isotherm, exceeds: failed reads": "kept",
    }


@pytest.mark.parametrize(
    ("first", "said", "behind_page_cache"),
    [
        (120, "kept", "kept"), (85, "kept", "kept"), (75, "missed", "kept"), (70, "missed", "missed"),
        (50, "missed", "missed"), (2, "broken", "broken"), (180, "broken", "missed"),
    ],
)  # fmt: skip
def test_the_disk_of_a_cold_node_has_as_much_to_do_as_the_others(first: float, said: str, behind_page_cache: str):
    def judged(size: str, **more: Any) -> str | None:
        found = cold_restart.promises(size, {"isotherm": cold(10, 9, first=first) | more})
        return states(found).get(f"isotherm, {size}: disk reads of the first 5 s, from their mean")

    assert judged("exceeds") == said
    assert judged("exceeds", storage="page-cache") == behind_page_cache
    assert judged("fits") is None, "the others read nothing from the disk"


@pytest.mark.parametrize(
    ("size", "rejoined", "to_s", "said"),
    [
        ("exceeds", None, 40, None),
        ("exceeds", None, 90, "broken"),
        ("exceeds", 62, 90, "missed"),
        ("fits", None, 40, "broken"),
        ("fits", 9.5, 40, "kept"),
    ],
)
def test_a_node_that_was_not_watched_for_long_enough_may_have_rejoined(
    size: str, rejoined: float | None, to_s: float, said: str | None
):
    found = states(cold_restart.promises(size, {"isotherm": cold(10, rejoined, to_s)}))
    assert found.get(f"isotherm, {size}: rejoined after") == said
    assert found.get(f"isotherm, {size}: its last reads, of the others'") == (None if said else "kept")


@pytest.mark.parametrize(("last", "said"), [(50, "kept"), (49, "missed"), (29, "broken"), (0, "broken")])
def test_a_node_that_was_watched_for_a_short_time_serves_a_part_at_its_end(last: float, said: str):
    what = "isotherm, exceeds: its last reads, of the others'"
    assert states(cold_restart.promises("exceeds", {"isotherm": cold(10, None, last=last)}))[what] == said
    assert what not in states(cold_restart.promises("exceeds", {"isotherm": cold(10, None, to_s=29, last=last)}))


def test_of_a_gray_node():
    stock, plugin = gray_runs.run(10, 3.0, None), gray_runs.run(11, 1.5, 4.0)
    found = gray.promises({"slow-disk": {"cassandra": stock, "isotherm": plugin}, "late": {"isotherm": plugin}})
    assert states(found) == {
        "slow-disk: settled before": "kept",
        "slow-disk: p50 over Cassandra's": "kept",
        "slow-disk: p99 over Cassandra's": "kept",
        "slow-disk: read from while well": "kept",
        "slow-disk: failed reads beyond Cassandra's": "kept",
        "slow-disk: p99 over that while well": "kept",
        "slow-disk: recovered after": "kept",
        "slow-disk: rejoined after": "kept",
    }


@pytest.mark.parametrize(
    ("fault", "recovered_s", "said"),
    [
        ("slow-disk", 12.0, "missed"), ("slow-disk", 26.5, "missed"), ("slow-disk", None, "broken"),
        ("slow-disk@page-cache", 1.5, "kept"), ("slow-disk@page-cache", 23.0, "missed"),
        ("slow-disk@page-cache", None, "broken"), ("slow-disk@default", None, "missed"),
        ("stopped@default", 0.5, "kept"), ("stopped@page-cache", None, "broken"),
        ("late", 23.0, None), ("late@page-cache", 20.5, None),
    ],
)  # fmt: skip
def test_readers_recover_at_once_of_the_same_faults_on_all_tables(
    fault: str, recovered_s: float | None, said: str | None
):
    runs = {"cassandra": gray_runs.run(10, 3.0, None), "isotherm-auto": gray_runs.run(10, recovered_s, 4.0)}
    assert states(gray.promises({fault: runs})).get(f"{fault}, isotherm-auto: recovered after") == said


def test_beside_twice_the_p99_of_local_readers_recover_sooner():
    runs = {"cassandra": gray_runs.run(10, 3.0, None), "isotherm": gray_runs.run(10, 23.0, 4.0)}
    assert states(gray.promises({"slow-disk": runs}))["slow-disk: recovered after"] == "broken"


def test_the_default_placement_is_held_to_the_same_by_its_name():
    stock, plugin = gray_runs.run(10, 3.0, None), gray_runs.run(10, 1.5, 16.0)
    found = states(gray.promises({"late": {"cassandra": stock, "isotherm": plugin, "isotherm-auto": plugin}}))
    assert found["late: rejoined after"] == found["late, isotherm-auto: rejoined after"] == "missed"
    assert len(found) == 14 and gray.promises({"late": {"cassandra": stock, "isotherm-affinity": plugin}}) == []


def test_the_first_seconds_of_a_gray_fault_and_what_failed_with_both_are_not_compared():
    stock, plugin = gray_runs.run(10, 3.0, None), gray_runs.run(10, 1.5, 40.0)
    plugin["phases"][1]["p50_ms"] = 500.0
    assert gray.promises({"paused": {"cassandra": stock, "isotherm": plugin}})[1].kept
    slower = copy.deepcopy(plugin)
    slower["phases"][4]["p50_ms"] = 500.0
    assert gray.promises({"paused": {"cassandra": stock, "isotherm": slower}})[1].broken
    slower["phases"][4]["p50_ms"] = None
    assert gray.promises({"paused": {"cassandra": stock, "isotherm": slower}})[1].broken
    at_the_limit = gray.promises({"two-slow": {"cassandra": stock, "isotherm": slower}})[1]
    assert state(at_the_limit) == "missed" and at_the_limit.shown() == "inf x"
    stock["phases"][4]["p50_ms"] = None
    assert gray.promises({"paused": {"cassandra": stock, "isotherm": slower}})[1].kept


def test_what_met_nobody_with_cassandra_is_not_compared():
    stock, plugin = gray_runs.run(10, 3.0, None, met=False), gray_runs.run(50, 1.5, 4.0)
    found = gray.promises({"slow-disk": {"cassandra": stock, "isotherm": plugin}})
    assert [each.what for each in found if "Cassandra's" in each.what] == ["slow-disk: failed reads beyond Cassandra's"]
    assert all(each.kept for each in found)


def test_a_node_that_the_plugin_does_not_read_from_loses_no_share():
    stock, plugin = gray_runs.run(10, 3.0, None), gray_runs.run(10, 0.0, 0.0, met=False)
    assert [each.what for each in gray.promises({"late": {"cassandra": stock, "isotherm": plugin}}) if each.broken] == [
        "late: read from while well"
    ]


def test_a_fault_of_five_seconds_has_no_time_from_five_seconds_on():
    runs = {name: gray_runs.run(10, 1.5, 4.0) for name in ("cassandra", "isotherm")}
    for run in runs.values():
        run["phases"] = [each for each in run["phases"] if each["name"] != "fault" or each["to_s"] <= 5]
    assert "late: p99 over that while well" not in states(gray.promises({"late": runs}))


def test_reads_that_fail_with_the_plugin_alone_are_told():
    stock = gray_runs.run(10, 3.0, None, errors=3)
    for errors, said in ((3, "kept"), (5, "missed"), (9, "broken")):
        runs = {"cassandra": stock, "isotherm": gray_runs.run(10, 1.5, 4.0, errors=errors)}
        assert states(gray.promises({"late": runs}))["late: failed reads beyond Cassandra's"] == said
        assert "two-slow: failed reads beyond Cassandra's" not in states(gray.promises({"two-slow": runs}))


@pytest.mark.parametrize(("times", "said"), [(2, "kept"), (2.4, "missed"), (2.6, "broken"), (None, "broken")])
def test_p99_of_a_fault_is_held_to_that_while_well(times: float | None, said: str):
    plugin = gray_runs.run(10, 1.5, 4.0)
    plugin["phases"][3]["p99_ms"] = None if times is None else 100 * times
    runs = {"cassandra": gray_runs.run(30, 3.0, None), "isotherm": plugin}
    assert states(gray.promises({"late": runs}))["late: p99 over that while well"] == said
    for fault in ("slow-disk@default", "late@default", "slow-disk@page-cache"):
        assert states(gray.promises({fault: runs}))[f"{fault}: p99 over that while well"] == (
            "kept" if said == "kept" else "missed"
        )
    assert states(gray.promises({"late@page-cache": runs}))["late@page-cache: p99 over that while well"] == said
    assert "two-slow: p99 over that while well" not in states(gray.promises({"two-slow": runs}))


def test_of_a_fault_whose_beginning_was_not_well_only_the_latencies_are_compared():
    stock, plugin = gray_runs.run(10, None, None), gray_runs.run(10, None, None, settled=False)
    found = gray.promises({"slow-disk": {"cassandra": stock, "isotherm": plugin}})
    assert states(found) == {
        "slow-disk: settled before": "broken",
        "slow-disk: p50 over Cassandra's": "kept",
        "slow-disk: p99 over Cassandra's": "kept",
        "slow-disk: failed reads beyond Cassandra's": "kept",
    }


def test_the_plugin_settles_but_for_after_a_fault_that_takes_disks_to_their_limit():
    well, unsettled = gray_runs.run(10, 1.5, 4.0), gray_runs.run(10, None, None, settled=False)
    runs = {"cassandra": gray_runs.run(10, None, None, settled=False), "isotherm": unsettled}
    # A table that was measured between has a cluster of its own.
    faults = {"all-slow": runs, "late@default": runs, "hung-disk": runs, "paused": runs}
    assert {what: said for what, said in states(gray.promises(faults)).items() if "settled" in what} == {
        "all-slow: settled before": "broken",
        "late@default: settled before": "broken",
        "hung-disk: settled before": "missed",
        "paused: settled before": "broken",
    }
    runs = {"cassandra": well, "isotherm": {**well, "rounds": [well, unsettled]}}
    for last, said in (("late", "broken"), ("cold-while-slow", "missed")):
        assert states(gray.promises({"stopped": runs, last: runs}))["stopped: settled before"] == said
