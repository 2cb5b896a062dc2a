# SPDX-License-Identifier: Apache-2.0
"""Runs both variants, and writes and judges what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster.classpath import plugin_jar
from isotherm_lab.errors import LabError
from isotherm_lab.experiments import tested_build
from isotherm_lab.experiments.obstacles import left_out
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.experiments.soak import left_behind_table, turns
from isotherm_lab.experiments.soak.faults import FAULTS, Hooks
from isotherm_lab.experiments.soak.hooks import missed
from isotherm_lab.experiments.soak.left_behind import held_more, leaks, own_leaks
from isotherm_lab.experiments.soak.plan import NAME, PLUGIN, STOCK, VARIANTS, Plan
from isotherm_lab.experiments.soak.run import run
from isotherm_lab.measure import documented_table, linearizable, summary
from isotherm_lab.measure.failure_excess import excess
from isotherm_lab.paths import project_root
from isotherm_lab.progress import Bars

#: Clients of each kind must have been answered at least so much of what plain Cassandra answers: who stands still fails
#: nothing, and who is never answered has nothing that could be wrong.
_LEAST_ANSWERED = 0.25
#: The plugin rejects what limits do not let pass, and chooses the leaders of counters: that fewer of these fail with it
#: excuses no failure of others.
_DIFFERENT = ("limited", "counters")
_COUNTS = ("operations", "failed", "violations")
#: As VARIANTS in a heading.
_TITLES = ("Cassandra", "Isotherm")


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run both variants; the summary is complete after each fault. LabError when something is not as it must be.

    LabError, too, when the plugin's sources change meanwhile. The summary keeps what earlier runs found of other faults
    with the same build of the plugin.
    """
    linearizable.checker()  # whoever has no Go hears of it now
    if plan.document:
        for table in (NAME, left_behind_table.NAME):
            documented_table.parts(plan.document, table)
    plan = possible(plan, console)
    jar, commit = plugin_jar(), tested_build.commit(project_root())
    build = tested_build.digest(jar)
    earlier = kept(folder, build, plan)
    found: list[dict[str, Any]] = []
    # The plugin first: what its hooks block is what threads of plain Cassandra are blocked by.
    for name in (PLUGIN, STOCK):
        of_plugin = {account["name"]: account for account in found}
        with Bars(console, f"{NAME}, {name}", plan.expected_s(name)) as bars:
            for account in run(plan, name, of_plugin, bars):
                found.append(account)
                tested_build.refuse_another(build, plugin_jar())
                content = {"experiment": NAME, "plugin": build, "sources": commit, "seed": plan.seed}
                summary.write(folder, content | {"faults": in_order(earlier + found)})
    rows = in_order(earlier + found)
    console.print(shown(rows))
    console.print(f"The numbers are in {folder / summary.FILE}.", soft_wrap=True, highlight=False)
    for own in found:
        if "in_turns" in own:
            console.print(f"{own['name']}: {turns.sentence(own['in_turns'])}.", soft_wrap=True, highlight=False)
    if plan.document:
        tested_build.refuse_another(build, plugin_jar())
        of_build = tested_build.sentence(jar.name, commit, build)
        documented_table.put(plan.document, NAME, f"{document(rows)}\n{of_build}\n")
        documented_table.put(plan.document, left_behind_table.NAME, left_behind_table.document(by_fault(rows)))
    for sentence in of_stock(found):
        console.print(f"Plain Cassandra itself: {sentence}", soft_wrap=True, highlight=False, markup=False)
    wrong = shortcomings(found)
    if wrong:
        raise LabError("Not as it must be:\n" + "\n".join(wrong))


def kept(folder: Path, build: str, plan: Plan) -> list[dict[str, Any]]:
    """Return what the summary in the folder has of this build of the plugin under faults that are not planned.

    A fault that befell one variant only, as the run was interrupted, has nothing to be shown beside.
    """
    rows = tested_build.rows(folder, NAME, build, "faults")
    whole = {name for name, variants in by_fault(rows).items() if set(variants) == set(VARIANTS)}
    return [own for own in rows if own["name"] in whole - {fault.name for fault in plan.faults}]


def in_order(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows as the faults stand in their list."""
    return sorted(rows, key=lambda own: list(FAULTS).index(own["name"]))


def possible(plan: Plan, console: Console) -> Plan:
    """Return the plan without the faults that this machine cannot make, and say which; LabError when none is left."""
    out = left_out({fault.name: fault.obstacle for fault in plan.faults}, console)
    left = tuple(fault for fault in plan.faults if fault.name not in out)
    if not left:
        raise LabError("This machine can make none of the faults that were asked for.")
    return replace(plan, faults=left)


def shortcomings(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each broken promise, and for each fault under which more failed or grew than may.

    Without a row of plain Cassandra beside it a fault is not compared.
    """
    sentences = [sentence for own in found for sentence in _broken(own)]
    for name, variants in by_fault(found).items():
        if set(variants) == set(VARIANTS):
            sentences += [f"{name}: {sentence}" for sentence in _compared(name, variants[STOCK], variants[PLUGIN])]
    return sentences


def of_stock(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what plain Cassandra did not keep, which is no fault of the plugin's and is told all the same."""
    return [f"{own['name']}: {sentence}" for own in found if own["variant"] == STOCK for sentence in own["sentences"]]


def _broken(own: Mapping[str, Any]) -> list[str]:
    """Return what is wrong under one variant, whatever befell the other."""
    fault = FAULTS[own["name"]]
    sentences = list(own["sentences"]) if own["variant"] == PLUGIN else []
    if own["undecided"]:
        sentences.append(f"{own['undecided']} registers could not be decided")
    if own["untouched"]:
        sentences.append(f"{own['untouched']} tables were not both written and read")
    if own["variant"] == PLUGIN:
        if fault.plugin_fails != (own["plugin_failures"] > 0):
            sentences.append(f"the plugin counted or logged {own['plugin_failures']} failures of its own")
        if not own["rejected"]:
            sentences.append("no limit rejected anything")
        # Of no hooks all have suffered.
        if fault.hooks and not own.get("hooks"):
            sentences.append("no hook of the plugin was found")
        sentences += own_leaks(own)
    if "in_turns" in own and turns.too_much(own["in_turns"]):
        sentences.append(turns.sentence(own["in_turns"]))
    sentences += [f"nothing befell {hook}" for hook in missed(own.get("hooks", {}), fault.hooks is Hooks.BLOCK)]
    return [f"{own['name']}, {own['variant']}: {sentence}" for sentence in sentences]


def _compared(name: str, stock: Mapping[str, Any], plugin: Mapping[str, Any]) -> list[str]:
    """Return what is worse with the plugin than without."""
    sentences = []
    # What limits reject cannot fail, while stock does it and may: of all other clients both do the same.
    for of, failures in (
        ("", lambda own: (own["failed"], own["operations"])),
        ("of all but the limited clients ", lambda own: (own["unlimited_failed"], own["unlimited_operations"])),
        ("of all but counters and limited clients ", _alike),
    ):
        (failed, done), (beside, beside_done) = (failures(own) for own in (plugin, stock))
        if excess(failed, done, beside):
            sentences.append(
                f"{of}{failed} of {done} operations failed with the plugin, {beside} of {beside_done} without"
            )
    for kind, own in plugin["clients"].items():
        answered, beside = (each["operations"] - each["failed"] for each in (own, stock["clients"][kind]))
        if not beside:
            # Clients run before each fault and after it: what is never answered then tells nothing of the plugin.
            sentences.append(
                f"none of {stock['clients'][kind]['operations']} operations of {kind} was answered without the plugin"
            )
        # Of a few operations less than a quarter is none.
        elif answered < int(_LEAST_ANSWERED * beside) or own["operations"] == 0:
            sentences.append(
                f"{answered} operations of {kind} were answered with the plugin, {beside} without:"
                f" less than {_LEAST_ANSWERED:.0%}, or none was begun"
            )
    peers = len(FAULTS[name].scene.datacenters) - 1
    sentences += leaks(stock["grew"], plugin["grew"], peers, plugin.get("classes_grew"))
    return sentences + held_more(stock["started_again"], plugin["started_again"], peers)


def _alike(own: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many operations failed, and of how many, of the clients of which both variants do the same."""
    clients = [each for kind, each in own["clients"].items() if kind not in _DIFFERENT]
    return sum(each["failed"] for each in clients), sum(each["operations"] for each in clients)


def shown(found: Sequence[Mapping[str, Any]]) -> Table:
    """Return the accounts for a person."""
    operations, *others = (f"\n{count}" for count in _COUNTS)
    right = [heading for title in _TITLES for heading in (f"{title}{operations}", *others)]
    table = result_table("Mixed load under faults", left=["\nfault"], right=right)
    for row in _rows(found):
        table.add_row(*row)
    return table


def document(found: Sequence[Mapping[str, Any]]) -> str:
    """Return the accounts as a table in Markdown."""
    heading = ["fault", *(f"{title}: {count}" for title in _TITLES for count in _COUNTS)]
    return documented_table.markdown(heading, [[FAULTS[row[0]].title, *row[1:]] for row in _rows(found)], names=1)


def _rows(found: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    return [
        [name, *(f"{variants[variant][count]:,}" for variant in VARIANTS for count in _COUNTS)]
        for name, variants in by_fault(found).items()
    ]


def by_fault(found: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Return the accounts by fault and variant."""
    sorted_out: dict[str, dict[str, Mapping[str, Any]]] = {}
    for own in found:
        sorted_out.setdefault(own["name"], {})[own["variant"]] = own
    return sorted_out
