# SPDX-License-Identifier: Apache-2.0
"""How a soak is judged and written down, without a cluster."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from terminal import shown

from isotherm_lab.errors import LabError
from isotherm_lab.experiments import tested_build
from isotherm_lab.experiments.soak import hooks, left_behind_table, report
from isotherm_lab.experiments.soak.audit import account
from isotherm_lab.experiments.soak.faults import FAULTS
from isotherm_lab.experiments.soak.membership import with_small_heap
from isotherm_lab.experiments.soak.plan import NAME, PLUGIN, STOCK, Plan, planned
from isotherm_lab.experiments.soak.report import document, of_stock, possible, run_and_report, shortcomings
from isotherm_lab.load.recorded_load import History
from isotherm_lab.measure import documented_table, summary
from isotherm_lab.measure.histories import WRITE
from isotherm_lab.paths import project_root


def found(stock_failed: int, plugin_failed: int, **more: Any) -> list[dict[str, Any]]:
    own = {
        "name": "killed",
        "operations": 10_000,
        "unlimited_operations": 9_000,
        "unlimited_failed": 0,
        "violations": 0,
        "undecided": 0,
        "untouched": 0,
        "rejected": 900,
        "tables": 0,
        "sentences": [],
        "plugin_failures": 0,
        "clients": {},
        "grew": {},
        "holdings": {},
        "started_again": {},
    }
    return [
        {**own, "variant": STOCK, "failed": stock_failed},
        {**own, "variant": PLUGIN, "failed": plugin_failed, **more},
    ]


def test_a_thousandth_of_the_operations_is_chance_and_not_one_more():
    assert shortcomings(found(20, 30)) == []
    assert shortcomings(found(20, 31)) == ["killed: 31 of 10000 operations failed with the plugin, 20 of 10000 without"]


def test_what_limits_reject_hides_nothing_that_fails_elsewhere():
    # Of stock's failures 20 are of operations that the limits reject with the plugin.
    stock, plugin = found(20, 20)
    assert shortcomings([stock, plugin | {"unlimited_failed": 9}]) == []
    assert shortcomings([stock, plugin | {"unlimited_failed": 10}]) == [
        "killed: of all but the limited clients 10 of 9000 operations failed with the plugin, 0 of 9000 without"
    ]
    # A thousandth of what was asked: what a limit rejected is no part of it.
    rejects_much = plugin | {"operations": 50_000, "unlimited_failed": 10}
    assert len(shortcomings([stock, rejects_much])) == 1


def test_counters_of_which_fewer_fail_hide_nothing_that_fails_of_others():
    def told(counters: int, batches: int) -> dict[str, Any]:
        kinds = {"counters": counters, "limited": counters, "batches": batches, "registers": 2}
        return {kind: {"operations": 1_000, "failed": failed} for kind, failed in kinds.items()}

    stock, plugin = found(120, 20)
    stock["clients"] = told(50, 2)
    assert shortcomings([stock, plugin | {"clients": told(0, 4)}]) == []
    assert shortcomings([stock, plugin | {"clients": told(0, 5)}]) == [
        "killed: of all but counters and limited clients 7 of 2000 operations failed with the plugin, 4 of 2000 without"
    ]


def clients(operations: int, failed: int = 0) -> dict[str, Any]:
    return {
        "registers": {"operations": 9_000, "failed": 3},
        "many partitions": {"operations": operations, "failed": failed},
    }


@pytest.mark.parametrize(
    ("own", "enough"),
    [(clients(20), True), (clients(25, 5), True), (clients(19), False), (clients(25, 6), False), (clients(0), False)],
)
def test_what_is_never_answered_cannot_be_wrong_and_is_a_shortcoming(own: dict[str, Any], enough: bool):
    stock, plugin = found(0, 0, clients=own)
    sentences = shortcomings([stock | {"clients": clients(80)}, plugin])
    many = own["many partitions"]
    expected = (
        f"killed: {many['operations'] - many['failed']} operations of many partitions were answered with the plugin,"
        " 80 without: less than 25%, or none was begun"
    )
    assert sentences == ([] if enough else [expected])


def test_the_table_fits_a_terminal_with_each_word_whole():
    rows = [{**own, "name": name, "operations": 365_150} for own in found(0, 0) for name in FAULTS]
    lines = shown(report.shown(rows))
    assert next(line.split() for line in lines if "violations" in line) == [
        "fault", *("operations", "failed", "violations") * 2
    ]  # fmt: skip
    assert [line.split()[0] for line in lines if "365,150" in line] == list(FAULTS)


def test_of_a_few_operations_chance_may_leave_none():
    stock, plugin = found(0, 0, clients=clients(5, 5))
    assert shortcomings([stock | {"clients": clients(7, 4)}, plugin]) == []
    assert len(shortcomings([stock | {"clients": clients(8, 4)}, plugin])) == 1


@pytest.mark.parametrize("own", [clients(80), clients(75, 75)])
def test_what_is_not_answered_without_the_plugin_either_is_a_shortcoming(own: dict[str, Any]):
    stock, plugin = found(0, 0, clients=own)
    sentence = "killed: none of 70 operations of many partitions was answered without the plugin"
    assert shortcomings([stock | {"clients": clients(70, 70)}, plugin]) == [sentence]


def test_nothing_begun_at_all_is_a_shortcoming_too():
    stock, plugin = found(0, 0, clients=clients(0))
    assert len(shortcomings([stock | {"clients": clients(0)}, plugin])) == 1


def test_a_fault_without_stock_beside_it_is_judged_by_itself():
    (row,) = found(0, 500, sentences=["transactions/3 is not linearizable"])[1:]
    assert shortcomings([row]) == ["killed, isotherm: transactions/3 is not linearizable"]


def test_a_broken_history_is_a_shortcoming_and_so_is_one_that_nobody_could_check():
    sentences = shortcomings(found(0, 0, sentences=["transactions/3 is not linearizable"], undecided=2))
    assert sentences == [
        "killed, isotherm: transactions/3 is not linearizable",
        "killed, isotherm: 2 registers could not be decided",
    ]


def test_what_plain_cassandra_does_not_keep_is_told_and_is_no_shortcoming():
    stock, plugin = found(0, 0)
    rows = [stock | {"sentences": ["counter 1011 holds 84: 86 of 87 updates acknowledged"]}, plugin]
    assert of_stock(rows) == ["killed: counter 1011 holds 84: 86 of 87 updates acknowledged"]
    assert shortcomings(rows) == []


def test_the_plugin_fails_where_it_is_made_to_and_nowhere_else():
    suffered = {"ReplicaOrdering.order": {"calls": 7, "blocked": ""}}

    def judged(name: str, failures: int) -> list[str]:
        return shortcomings([{**own, "name": name} for own in found(0, 0, plugin_failures=failures, hooks=suffered)])

    assert judged("killed", 0) == judged("hooks", 5) == []
    assert judged("killed", 5) == ["killed, isotherm: the plugin counted or logged 5 failures of its own"]
    assert judged("hooks", 0) == ["hooks, isotherm: the plugin counted or logged 0 failures of its own"]


def test_each_hook_that_is_called_under_load_must_have_suffered():
    suffered = {
        "ReplicaOrdering.order": {"calls": 7, "blocked": "Native-Transport-Requests"},
        "LimitsInForce.forget": {"calls": 2, "blocked": ""},
        "DiskSampling.end": {"calls": 0, "blocked": ""},
        # It waits for a message which need not come.
        "receiver (A copy of a read is not served)": {"calls": 1, "blocked": ""},
    }

    def judged(name: str, failures: int) -> list[str]:
        return shortcomings([{**own, "name": name} for own in found(0, 0, plugin_failures=failures, hooks=suffered)])

    assert judged("hooks", 5) == ["hooks, isotherm: nothing befell DiskSampling.end"]
    assert judged("blocked-hooks", 0) == [
        "blocked-hooks, isotherm: nothing befell LimitsInForce.forget",
        "blocked-hooks, isotherm: nothing befell DiskSampling.end",
    ]


@pytest.mark.parametrize(("name", "failures"), [("hooks", 5), ("blocked-hooks", 0)])
@pytest.mark.parametrize("more", [{}, {"hooks": {}}])
def test_a_fault_of_hooks_that_found_none_has_befallen_nothing(name: str, failures: int, more: dict[str, Any]):
    rows = [{**own, "name": name} for own in found(0, 0, plugin_failures=failures, **more)]
    assert shortcomings(rows) == [f"{name}, isotherm: no hook of the plugin was found"]


def test_hooks_throw_until_each_was_called(monkeypatch: pytest.MonkeyPatch):
    orders = []
    told = iter([{"order": {"calls": 0}}, {"order": {"calls": 1}}])
    monkeypatch.setattr(hooks, "order_all", lambda _, command, argument: orders.append(argument))
    monkeypatch.setattr(hooks, "called", lambda _: orders.append("look") or next(told))
    monkeypatch.setattr(hooks.time, "sleep", lambda _: None)
    with hooks.broken_hooks(SimpleNamespace(nodes=[]), 0):
        orders.append("fault")
    assert orders == ["break", "fault", "look", "look", "mend"]


def test_what_the_nodes_tell_of_their_hooks_is_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    told = ["order\t3\tReadStage\nend\t0\t\n", "order\t4\t\nend\t1\tGossipStage\n"]
    nodes = []
    for number, hooked in enumerate(told):
        directory = tmp_path / str(number)
        directory.mkdir()
        (directory / "hooks.tsv").write_text(hooked)
        nodes.append(SimpleNamespace(directory=directory))
    monkeypatch.setattr(hooks.control, "order", lambda *_: None)
    assert hooks.called(nodes) == {
        "end": {"calls": 1, "blocked": "GossipStage"},
        "order": {"calls": 7, "blocked": "ReadStage"},
    }


def test_threads_of_plain_cassandra_block_as_the_hooks_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    orders = []
    hooked = ["order\t3\tReadStage\nend\t7\tReadStage\nfollow\t2\tMigrationStage\n", "forget\t4\t\n"]
    nodes = [SimpleNamespace(directory=tmp_path / str(number)) for number in range(len(hooked))]
    for node, told in zip(nodes, hooked, strict=True):
        node.directory.mkdir()
        (node.directory / "hooks.tsv").write_text(told)
        (node.directory / "threads.tsv").write_text("ReadStage\t1\n")
    monkeypatch.setattr(hooks.control, "order", lambda node, *order: orders.append((node.directory.name, *order)))
    monkeypatch.setattr(hooks, "order_all", lambda _, *order: orders.append(order))
    blocked = hooks.blocked(nodes, by_hooks=True)
    assert blocked == [{"ReadStage": 2, "MigrationStage": 1}, {}]
    assert hooks.blocked(nodes, by_hooks=False) == [{"ReadStage": 1}, {"ReadStage": 1}]
    orders.clear()
    fault = FAULTS["blocked-hooks"].in_stock
    assert fault
    with fault({"blocked": blocked})(SimpleNamespace(nodes=nodes), 0):
        orders.append("fault")
    assert orders == [
        ("0", "threads", "block 5000 ReadStage=2,MigrationStage=1"),
        ("1", "threads", "block 5000"),
        "fault",
        ("threads", "mend"),
    ]


def test_the_table_has_stock_beside_the_plugin():
    row = document(found(20, 30)).splitlines()[-1]
    assert row == f"| {FAULTS['killed'].title} | 10,000 | 20 | 0 | 10,000 | 30 | 0 |"


def test_operations_are_recorded_whatever_becomes_of_them():
    history = History()
    history.attempt(WRITE, 1, 5, lambda: {"coordinator": "127.0.0.1"})

    def dies() -> dict[str, Any]:
        raise ConnectionError("reset")

    history.attempt(WRITE, 1, 6, dies)
    assert [(each.value, each.error) for each in history.so_far()] == [(5, ""), (6, "ConnectionError: reset")]
    own = account({"batches": history.so_far(), "limited": history.so_far()[:1]})
    assert (own["operations"], own["failed"]) == (3, 1)
    assert (own["unlimited_operations"], own["unlimited_failed"]) == (2, 1)
    own = account({"batches": history.so_far(), "limited": history.so_far()})
    assert (own["failed"], own["unlimited_failed"]) == (2, 1)
    assert own["clients"]["batches"]["errors"] == {"ConnectionError": 1}


def test_the_short_form_is_a_part_of_the_whole():
    short, whole = planned(short=True, faults=None), planned(short=False, faults=None)
    assert set(short.faults) < set(whole.faults) == {fault for fault in FAULTS.values() if not fault.by_name}
    assert short.expected_s(STOCK) < whole.expected_s(STOCK) == whole.expected_s(PLUGIN)
    assert [fault.name for fault in planned(short=True, faults=["late"]).faults] == ["late"]


def test_a_fault_that_this_machine_cannot_make_is_left_out_and_said():
    poor = replace(FAULTS["full-disk"], obstacle=lambda: "A small disk is mounted by root only.")
    plan = replace(planned(short=True, faults=["late"]), faults=(poor, FAULTS["late"]))
    console = Console(record=True, width=120)
    assert [fault.name for fault in possible(plan, console).faults] == ["late"]
    assert console.export_text().strip() == "full-disk is left out. A small disk is mounted by root only."
    with pytest.raises(LabError, match="none of the faults"):
        possible(replace(plan, faults=(poor,)), console)


def test_a_node_with_a_small_heap_differs_by_nothing_else():
    command = ["java", "-Xms512m", "-Xmx512m", "-Xss512k", "-Dsome=-Xmx512m"]
    assert with_small_heap(command) == ["java", "-Xms256m", "-Xmx256m", "-Xss512k", "-Dsome=-Xmx512m"]


def test_the_document_has_a_place_for_the_table():
    before, _, after = documented_table.parts(project_root() / "docs" / "reliability.md", NAME)
    assert before.startswith("# ") and "Where Cassandra calls" in after


def test_a_file_without_a_place_for_the_table_is_refused_before_anything_starts(tmp_path: Path):
    file = tmp_path / "reliability.md"
    file.write_text("# Reliability\n")
    with pytest.raises(LabError, match="has no place for the table"):
        run_and_report(planned(short=True, faults=None, document=file), tmp_path, Console())


def test_limits_that_reject_nothing_under_a_fault_prove_nothing():
    assert shortcomings(found(0, 0, rejected=0)) == ["killed, isotherm: no limit rejected anything"]


@pytest.fixture
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The plugin's jar; runs end at once, and under each fault as many operations fail as there are faults."""
    jar = tmp_path / "plugin.jar"
    jar.write_bytes(b"one build")
    monkeypatch.setattr(report, "plugin_jar", lambda: jar)
    monkeypatch.setattr(report.linearizable, "checker", lambda: None)

    def suffered(plan: Plan, variant: str, *_: object) -> Iterator[dict[str, Any]]:
        rows = found(len(plan.faults), len(plan.faults))
        for fault in plan.faults:
            yield from (own | {"name": fault.name} for own in rows if own["variant"] == variant)

    monkeypatch.setattr(report, "run", suffered)
    return jar


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A document with the places for both tables."""
    file = tmp_path / "reliability.md"
    file.write_text(
        "".join(f"<!-- isotherm-lab run {name} -->\n<!-- end -->\n" for name in (NAME, left_behind_table.NAME))
    )
    return file


def test_what_was_found_under_other_faults_stays_as_long_as_the_plugin_is_the_same(
    tmp_path: Path, jar: Path, written: Path
):
    out = tmp_path / "results"

    def of(*faults: str) -> list[tuple[str, str, int]]:
        run_and_report(planned(short=True, faults=faults, document=written), out, Console(quiet=True))
        return [(own["name"], own["variant"], own["failed"]) for own in summary.read(out, NAME)["faults"]]

    assert of("tables") == [("tables", PLUGIN, 1), ("tables", STOCK, 1)]
    # As they stand in the list, and what is run again has its new numbers.
    of("stopped")
    assert of("killed", "stopped") == [
        *(("killed", variant, 2) for variant in (PLUGIN, STOCK)),
        *(("stopped", variant, 2) for variant in (PLUGIN, STOCK)),
        *(("tables", variant, 1) for variant in (PLUGIN, STOCK)),
    ]
    rows = written.read_text().splitlines()
    titles = [FAULTS[name].title for name in ("killed", "stopped", "tables")]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows if row.startswith("| ")] == [
        *("fault", "---", *titles),
        *("fault", "---", *titles),
    ]
    assert f"`{tested_build.digest(jar)}`." in rows
    jar.write_bytes(b"another build")
    assert of("late") == [("late", PLUGIN, 1), ("late", STOCK, 1)]


def test_what_was_found_while_the_sources_changed_is_written_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jar: Path, written: Path
):
    out, before = tmp_path / "results", written.read_text()

    def changed(_plan: Plan, variant: str, *_: object) -> Iterator[dict[str, Any]]:
        yield next(own for own in found(0, 0) if own["variant"] == variant)
        if variant == STOCK:
            jar.write_bytes(b"another build")

    monkeypatch.setattr(report, "run", changed)
    plan = planned(short=True, faults=["killed"], document=written)
    with pytest.raises(LabError, match=r"sources changed meanwhile, .*: run again"):
        run_and_report(plan, out, Console(quiet=True))
    assert written.read_text() == before
    summed = (out / summary.FILE).read_text()

    def changes(_plan: Plan, variant: str, *_: object) -> Iterator[dict[str, Any]]:
        jar.write_bytes(variant.encode())
        yield next(own for own in found(0, 0) if own["variant"] == variant)

    monkeypatch.setattr(report, "run", changes)
    with pytest.raises(LabError, match="sources changed meanwhile"):
        run_and_report(plan, out, Console(quiet=True))
    assert (out / summary.FILE).read_text() == summed


def test_a_fault_that_befell_one_variant_only_is_not_kept(tmp_path: Path):
    stock, plugin = found(0, 0)
    rows = [stock | {"name": "late"}, plugin | {"name": "late"}, plugin | {"name": "lost"}]
    summary.write(tmp_path, {"experiment": NAME, "plugin": "one build", "faults": rows})
    earlier = report.kept(tmp_path, "one build", planned(short=True, faults=["killed"]))
    assert [(own["name"], own["variant"]) for own in earlier] == [("late", STOCK), ("late", PLUGIN)]


def test_what_a_node_has_left_behind_is_a_shortcoming_of_its_fault():
    stock, plugin = found(0, 0)
    grew = {"heap_bytes": 0, "threads": 1, "handles": 0, "plugin_objects": 0, "plugin_threads": 0}
    sentences = shortcomings([stock | {"grew": grew}, plugin | {"grew": grew | {"threads": 30}}])
    assert sentences == ["killed: a node has 30 threads more than before the fault with the plugin, 1 without"]


def test_the_document_has_what_a_run_found_and_nothing_that_a_run_fails_for():
    _, table, _ = documented_table.parts(project_root() / "docs" / "reliability.md", NAME)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:] if "|" in line]
    titles = [fault.title for fault in FAULTS.values()]
    assert [row[0] for row in rows] == titles
    for title, *numbers in rows:
        stock_done, stock_failed, _, done, failed, violations = (int(each.replace(",", "")) for each in numbers)
        assert violations == 0 and done >= 0.25 * stock_done > 0, title
        assert failed <= stock_failed + done / 1000, title
    assert re.search(r"^The plugin is `isotherm-\S+\.jar` of commit \S+, its SHA-256\n`[0-9a-f]{64}`\.$", table, re.M)
