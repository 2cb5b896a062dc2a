# SPDX-License-Identifier: Apache-2.0
"""How the matrix counts, judges and writes down what tests say, without a cluster."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from isotherm_lab.cluster import releases
from isotherm_lab.errors import LabError
from isotherm_lab.experiments import tested_build
from isotherm_lab.experiments.matrix import report, run
from isotherm_lab.experiments.matrix.plan import CONTRACT, NAME, OUT_OF_THE_WAY, RELEASES, Plan, planned, suite_of
from isotherm_lab.experiments.matrix.run import chosen_java, outcomes
from isotherm_lab.measure import documented_table, summary
from isotherm_lab.paths import project_root

DOCUMENT = project_root() / "docs" / "releases.md"
REPORT = """<testsuites><testsuite>
  <testcase classname="integration.test_settings" name="test_passes"/>
  <testcase classname="integration.test_settings" name="test_is_skipped"><skipped/></testcase>
  <testcase classname="integration.test_settings" name="test_fails"><failure/></testcase>
  <testcase classname="integration.test_settings" name="test_fails"><error/></testcase>
  <testcase classname="integration.test_warming" name="test_passes"/>
</testsuite></testsuites>"""
PASSED = "<testsuites><testsuite><testcase classname='a.b' name='c'/></testsuite></testsuites>"


def written(folder: Path, content: str) -> Path:
    file = folder / "report.xml"
    file.write_text(content)
    return file


def test_each_test_counts_once_by_what_became_of_it(tmp_path: Path):
    assert outcomes(written(tmp_path, REPORT), 1) == {
        "passed": 2, "failed": 1, "skipped": 1, "failures": ["test_settings::test_fails"]
    }  # fmt: skip


@pytest.mark.parametrize("exit_code", [2, 3, 5, -9])
def test_a_run_that_came_to_no_orderly_end_failed(tmp_path: Path, exit_code: int):
    expected = [f"pytest ended with {exit_code}"]
    assert outcomes(tmp_path / "none.xml", exit_code)["failures"] == expected
    found = outcomes(written(tmp_path, PASSED), exit_code)
    assert (found["passed"], found["failed"], found["failures"]) == (1, 1, expected)


def test_no_tests_and_no_named_failure_are_failures_too(tmp_path: Path):
    assert outcomes(tmp_path / "none.xml", 0)["failed"] == 1
    assert outcomes(written(tmp_path, PASSED), 1)["failed"] == 1
    assert outcomes(written(tmp_path, PASSED), 0)["failed"] == 0


def test_a_release_all_of_whose_tests_were_skipped_failed(tmp_path: Path):
    skipped = PASSED.replace("/></testsuite>", "><skipped/></testcase></testsuite>")
    assert outcomes(written(tmp_path, skipped), 0) == {
        "passed": 0, "failed": 1, "skipped": 1, "failures": ["no test passed"]
    }  # fmt: skip


def test_the_line_of_a_release_says_which_tests_it_takes():
    known = ("5.0.4", "[5.0.0,5.1-alpha)", "4.1.6", "[4.1.6,4.2-alpha)")
    assert [suite_of(release) for release in known] == [CONTRACT] * 4
    assert [suite_of(release) for release in ("4.1.0", "[6.0-alpha,6.1-alpha)")] == [OUT_OF_THE_WAY] * 2
    assert planned().releases == RELEASES
    assert planned(["5.0.4"]).releases == ("5.0.4",)


def test_releases_before_5_run_on_the_java_of_their_operators_where_the_lab_has_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run, "java11_home", lambda: "/java11")
    assert chosen_java("4.0.19") == chosen_java("4.1.10") == {"JAVA_HOME": "/java11"}
    assert chosen_java("5.0-beta1") == chosen_java("5.0.9") == chosen_java("6.0-alpha2") == {}
    monkeypatch.setattr(run, "java11_home", lambda: None)
    assert chosen_java("4.1.10") == {}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The releases that were run; each has one test, which fails on 4.1.0. The newest of 5.0 is 5.0.6."""
    ran: list[str] = []
    jar = tmp_path / "plugin.jar"
    jar.write_bytes(b"one build")

    def tested(release: str, first_address: int, folder: Path, told: Any) -> dict[str, Any]:
        ran.append(release)
        failures = ["test_other_releases::test_it"] if release == "4.1.0" else []
        return {"cassandra": release, "java": 17, "suite": suite_of(release), "seconds": 1, "passed": 1 - len(failures),
                "failed": len(failures), "skipped": 0, "failures": failures}  # fmt: skip

    monkeypatch.setattr(report, "tested", tested)
    monkeypatch.setattr(report, "plugin_jar", lambda: jar)
    monkeypatch.setattr(tested_build, "commit", lambda checkout: "commit 1234567")
    monkeypatch.setattr(report, "newest_release", lambda within: "5.0.6")
    return ran


def test_a_release_runs_once_and_what_fails_is_said_at_the_end(runs: list[str], tmp_path: Path):
    document = tmp_path / "releases.md"
    document.write_text("# Releases\n\n<!-- isotherm-lab run matrix -->\n<!-- end -->\nMore.\n")
    with pytest.raises(LabError, match=r"Not as promised:\n4\.1\.0: test_other_releases::test_it"):
        report.run_and_report(
            Plan(("5.0.6", "[5.0.0,5.1-alpha)", "4.1.0"), document=document), tmp_path, Console(quiet=True)
        )
    assert runs == ["5.0.6", "4.1.0"]
    found = summary.read(tmp_path, NAME)
    assert [(row["cassandra"], row["failed"]) for row in found["releases"]] == [("4.1.0", 1), ("5.0.6", 0)]
    before, table, after = documented_table.parts(document, NAME)
    assert (before, after) == ("# Releases\n\n", "\nMore.\n")
    assert table.splitlines()[1:] == [
        "| --- | --- | --- | ---: | ---: | ---: |",
        "| 4.1.0 | 17 | stays out of the way | 0 | 1 | 0 |",
        "| 5.0.6 | 17 | the contract | 1 | 0 | 0 |",
        "",
        "The plugin is `plugin.jar` of commit 1234567, its SHA-256",
        f"`{hashlib.sha256(b'one build').hexdigest()}`.",
    ]
    assert found["sources"] == "commit 1234567"


def test_what_was_found_of_other_releases_stays_as_long_as_the_plugin_is_the_same(runs: list[str], tmp_path: Path):
    def found() -> list[str]:
        return [row["cassandra"] for row in summary.read(tmp_path, NAME)["releases"]]

    report.run_and_report(Plan(("5.0.6",)), tmp_path, Console(quiet=True))
    report.run_and_report(Plan(("5.0.5",)), tmp_path, Console(quiet=True))
    assert found() == ["5.0.5", "5.0.6"]
    assert summary.read(tmp_path, NAME)["plugin"] == hashlib.sha256(b"one build").hexdigest()
    (tmp_path / "plugin.jar").write_bytes(b"another build")
    report.run_and_report(Plan(("5.0.0",)), tmp_path, Console(quiet=True))
    assert found() == ["5.0.0"]


def test_what_was_found_while_the_sources_changed_is_not_written(
    runs: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def tested(*_: object) -> dict[str, Any]:
        (tmp_path / "plugin.jar").write_bytes(b"another build")
        return {}

    monkeypatch.setattr(report, "tested", tested)
    with pytest.raises(LabError, match=r"sources changed meanwhile, .*: run again"):
        report.run_and_report(Plan(("5.0.6",)), tmp_path, Console(quiet=True))
    assert not (tmp_path / summary.FILE).exists()


def test_a_document_without_a_place_for_the_table_is_refused_before_anything_runs(runs: list[str], tmp_path: Path):
    document = tmp_path / "releases.md"
    document.write_text("# Releases\n")
    with pytest.raises(LabError, match="has no place for the table"):
        report.run_and_report(Plan(("5.0.6",), document=document), tmp_path, Console(quiet=True))
    assert runs == []


def test_the_document_has_what_a_run_found_and_nothing_that_failed():
    _, table, _ = documented_table.parts(DOCUMENT, NAME)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:] if "|" in line]
    names = [row[0] for row in rows]
    assert names == sorted(names, key=releases.order)
    assert names
    for name, java, tests, passed, failed, _skipped in rows:
        assert java == ("11" if name.startswith("4.") else "17")
        assert (tests == "the contract") == releases.is_known(name)
        assert int(passed) > 0 and failed == "0", name
    assert re.search(r"^The plugin is `isotherm-\S+\.jar` of commit \S+, its SHA-256\n`[0-9a-f]{64}`\.$", table, re.M)
