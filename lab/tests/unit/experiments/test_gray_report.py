# SPDX-License-Identifier: Apache-2.0
import json
from dataclasses import replace
from pathlib import Path

import pytest
from gray_runs import run
from rich.console import Console
from terminal import shown

from isotherm_lab.cluster import page_cache_storage
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.gray import planned, report
from isotherm_lab.experiments.gray.plan import Suite
from isotherm_lab.experiments.gray.rounds import of_rounds
from isotherm_lab.experiments.gray.table import table
from isotherm_lab.measure import summary


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list:
    """What was run, with the summary as it was before; nothing runs."""
    seen: list = []

    def fake(plan, variant, output: Path, folder_of, _listener) -> dict:
        file = tmp_path / summary.FILE
        before = json.loads(file.read_text())["faults"] if file.exists() else {}
        folders = [str(folder_of(fault).relative_to(tmp_path)) for fault in plan.faults]
        seen.append((variant.name, str(output.relative_to(tmp_path)), folders, before))
        return {fault.name: run(5.0, 5.0, 4.0, fault.own_clients_apart) for fault in plan.faults}

    monkeypatch.setattr(report, "run", fake)
    return seen


def reported(suite: Suite, folder: Path) -> tuple[dict, str]:
    console = Console(width=100)
    with console.capture() as captured:
        report.run_and_report(suite, folder, console)
    return json.loads((folder / summary.FILE).read_text()), captured.get()


def test_the_summary_is_complete_after_each_cluster(ran: list, tmp_path: Path):
    suite = planned(["cassandra", "isotherm"], ["slow-disk", "stopped"], "both")
    found, said = reported(suite, tmp_path)
    assert [(variant, output) for variant, output, _, _ in ran] == [
        ("cassandra", "row-cache/cassandra"), ("isotherm", "row-cache/isotherm"),
        ("cassandra", "default/cassandra"), ("isotherm", "default/isotherm"),
    ]  # fmt: skip
    assert ran[0][2] == ["slow-disk/cassandra", "stopped/cassandra"]
    assert ran[3][2] == ["slow-disk@default/isotherm", "stopped@default/isotherm"]
    assert [sum(map(len, before.values())) for _, _, _, before in ran] == [0, 2, 4, 6]
    assert found["experiment"] == "gray" and found["skipped"] == {}
    assert list(found["faults"]) == ["slow-disk", "stopped", "slow-disk@default", "stopped@default"]
    assert all(list(runs) == ["cassandra", "isotherm"] for runs in found["faults"].values())
    assert found["settings"]["row-cache"]["faults"]["stopped"]["lasts_s"] == 8
    assert found["settings"]["default"]["table"]["heat_source"] == "read_time"
    assert said.count("for 8 s (row cache)") == 1 and str(tmp_path / summary.FILE) in said.replace("\n", "")


def test_a_table_that_cannot_be_had_is_left_out_with_a_sentence(ran: list, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(page_cache_storage, "missing", lambda: "Storage page-cache is not possible here: no groups.")
    found, said = reported(planned(["isotherm"], ["late"], "all"), tmp_path)
    assert list(found["settings"]) == ["row-cache", "default"] and list(found["faults"]) == ["late", "late@default"]
    assert "no groups. Its table is left out." in said
    with pytest.raises(LabError, match="no groups"):
        reported(planned(["isotherm"], ["late"], "page-cache"), tmp_path)


def impossible(suite: Suite, name: str) -> Suite:
    """Return the suite on a machine that cannot have this fault."""
    plans = {
        table: replace(
            plan,
            faults=tuple(replace(f, obstacle=lambda: "No groups.") if f.name == name else f for f in plan.faults),
        )
        for table, plan in suite.plans.items()
    }
    return replace(suite, plans=plans)


def test_a_fault_that_cannot_be_had_is_left_out_with_a_sentence(ran: list, tmp_path: Path):
    suite = planned(["isotherm"], ["starved", "late"], "row-cache")
    found, said = reported(impossible(suite, "starved"), tmp_path)
    assert list(found["faults"]) == ["late"] and found["skipped"] == {"starved": "No groups."}
    assert "starved is left out. No groups." in said


def test_without_a_fault_that_can_be_had_nothing_runs(ran: list, tmp_path: Path):
    with pytest.raises(LabError, match="None of the faults"):
        reported(impossible(planned(["isotherm"], ["starved"], "row-cache"), "starved"), tmp_path)
    assert ran == []


def test_the_table_fits_a_terminal():
    runs = {"cassandra": run(577.4, 5.0, None, True), "isotherm-affinity": run(230.4, None, 12.0, True, errors=1234)}
    lines = shown(table(runs, "The process of a node is stopped for 8 s (row cache)"))
    assert sum("5774" in line for line in lines) == 1
    assert any("577" in line and "5.0 s" in line and "never" in line for line in lines)
    assert any("230" in line and "never" in line and "12.0 s" in line for line in lines)
    assert sum("1234" in line for line in lines) == 1
    assert any("own clients" in line for line in lines)


def test_medians_are_said_to_be_some():
    several = of_rounds([run(5.0, 5.0, None), run(7.0, 5.0, None), run(6.0, 5.0, None)])
    said = " ".join(shown(table({"cassandra": several}, "Slow")))
    assert "Medians of 3 rounds." in said and "60.0" in said
    assert "rounds" not in " ".join(shown(table({"cassandra": run(5.0, 5.0, None)}, "Slow")))


def test_a_run_that_had_not_settled_says_so_instead_of_never():
    lines = shown(table({"cassandra": run(5.0, None, None, settled=False)}, "Slow"))
    (first, second) = (line.split() for line in lines if line.split()[-2:] in (["not"] * 2, ["settled"] * 2))
    assert (first[1], second[0]) == ("p50", "p99")
    assert not any("never" in line for line in lines)


def test_a_run_whose_fault_met_nobody_has_a_star():
    lines = shown(table({"cassandra": run(5.0, None, None, met=False), "isotherm": run(5.0, None, None)}, "Slow"))
    assert [line.split() for line in lines].count(["*"]) == 1


def test_a_percentile_that_failed_has_a_dash():
    failing = run(5.0, None, None, errors=90)
    for phase in failing["phases"]:
        phase["p99_ms"] = None
    (line,) = (line.split() for line in shown(table({"cassandra": failing}, "Slow")) if "p99" in line.split()[:1])
    assert line[1:] == ["-"] * 7
