# SPDX-License-Identifier: Apache-2.0
"""Runs the releases, and writes and judges what came of them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from isotherm_lab.cluster import releases
from isotherm_lab.cluster.classpath import newest_release, plugin_jar
from isotherm_lab.errors import LabError
from isotherm_lab.experiments import tested_build
from isotherm_lab.experiments.matrix.plan import CONTRACT, NAME, OUT_OF_THE_WAY, Plan, expected_s
from isotherm_lab.experiments.matrix.run import tested
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.measure import documented_table, summary
from isotherm_lab.paths import project_root
from isotherm_lab.progress import Bars

Row = Mapping[str, Any]
_COUNTS = ("passed", "failed", "skipped")
#: How the tests are called in the document.
_SUITES = {CONTRACT: "the contract", OUT_OF_THE_WAY: "stays out of the way"}


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run the releases; the summary is complete after each. LabError when a test failed.

    LabError, too, when the plugin's sources change meanwhile. The summary keeps what earlier runs found of other
    releases with the same build of the plugin.
    """
    if plan.document:
        documented_table.parts(plan.document, NAME)
    jar, commit = plugin_jar(), tested_build.commit(project_root())
    build = tested_build.digest(jar)
    rows = kept(folder, build)
    done: list[str] = []
    with Bars(console, NAME, plan.expected_s()) as bars:
        for asked in plan.releases:
            bars.step(asked, expected_s(asked))
            release = newest_release(asked) if asked.startswith("[") else asked
            if release in done:
                continue
            bars.note(release)
            rows[release] = tested(release, plan.first_address, folder / release, bars)
            tested_build.refuse_another(build, plugin_jar())
            done.append(release)
            content = {"experiment": NAME, "plugin": build, "sources": commit, "releases": in_order(rows.values())}
            summary.write(folder, content)
    console.print(shown(in_order(rows.values())))
    console.print(f"The numbers are in {folder / summary.FILE}.", soft_wrap=True, highlight=False)
    if plan.document:
        tested_build.refuse_another(build, plugin_jar())
        table = document(in_order(rows.values()))
        documented_table.put(plan.document, NAME, f"{table}\n{tested_build.sentence(jar.name, commit, build)}\n")
    wrong = [f"{release}: {failure}" for release in done for failure in rows[release]["failures"]]
    if wrong:
        raise LabError("Not as promised:\n" + "\n".join(wrong))


def kept(folder: Path, build: str) -> dict[str, Row]:
    """Return what the summary in the folder has of this build of the plugin, by release."""
    return {row["cassandra"]: row for row in tested_build.rows(folder, NAME, build, "releases")}


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Return the rows from the earliest release to the latest."""
    return sorted(rows, key=lambda row: releases.order(row["cassandra"]))


def shown(rows: Sequence[Row]) -> Table:
    """Return the rows for a person."""
    table = result_table(
        "The plugin on releases of Cassandra", left=("release", "Java", "tests"), right=(*_COUNTS, "s"), padding=1
    )
    for row in rows:
        table.add_row(*_cells(row), str(row["seconds"]))
    return table


def document(rows: Sequence[Row]) -> str:
    """Return the rows as a table in Markdown."""
    return documented_table.markdown(("Cassandra", "Java", "tests", *_COUNTS), [_cells(row) for row in rows], names=3)


def _cells(row: Row) -> list[str]:
    return [row["cassandra"], str(row["java"]), _SUITES[row["suite"]], *(str(row[count]) for count in _COUNTS)]
