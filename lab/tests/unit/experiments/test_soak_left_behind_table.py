# SPDX-License-Identifier: Apache-2.0
"""What a document says of what nodes hold after each fault, and that it is what the run allows."""

import re
from typing import Any

from isotherm_lab.experiments.soak.faults import FAULTS
from isotherm_lab.experiments.soak.left_behind import HANDLES_A_PEER, MORE, OWN
from isotherm_lab.experiments.soak.left_behind_table import NAME, document
from isotherm_lab.experiments.soak.plan import PLUGIN, STOCK
from isotherm_lab.measure import documented_table
from isotherm_lab.measure.holdings import Holdings
from isotherm_lab.paths import project_root

MIB = 2**20
MINUS = "\N{MINUS SIGN}"
FIGURES = re.compile(r"heap (\S+) MiB, threads (\S+), handles (\S+?)(?:, objects (\S+?))?(?:, on \d of \d nodes)?")


def account(name: str, grew: Holdings | None, held: int = 0, nodes: int = 3) -> dict[str, Any]:
    """What a fault has left: each node holds so much of everything, in MiB or one by one."""
    after = Holdings(held * MIB, held, held, held, 0).as_json()
    holdings = {f"127.0.0.{number}": {"before": after, "after": after} for number in range(nodes if grew else 0)}
    return {"name": name, "grew": grew.as_json() if grew else {}, "holdings": holdings}


def rows(table: str) -> list[list[str]]:
    """Return the cells of each row below the heading."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if "|" in line][2:]


def test_each_fault_has_what_grew_or_that_every_node_was_started_again():
    lived, smaller = Holdings(3 * MIB // 2, -1, 2, 1_300, 0), Holdings(-MIB, 0, 0, 0, 0)
    told = document(
        {
            "none": {STOCK: account("none", smaller, 50), PLUGIN: account("none", lived, 60)},
            "killed": {STOCK: account("killed", None), PLUGIN: account("killed", None)},
            "replaced": {
                STOCK: account("replaced", smaller, 70, nodes=2), PLUGIN: account("replaced", lived, 80, nodes=2),
            },
            # It has a cluster of its own, with another heap.
            "tables": {STOCK: account("tables", smaller, 900), PLUGIN: account("tables", lived, 900)},
        }
    )  # fmt: skip
    assert rows(told) == [
        [
            "nothing",
            f"heap {MINUS}1.0 MiB, threads 0, handles 0",
            f"heap 1.5 MiB, threads {MINUS}1, handles 2, objects 1,300",
        ],
        [FAULTS["killed"].title, "each node was started again", "each node was started again"],
        [
            FAULTS["replaced"].title,
            f"heap {MINUS}1.0 MiB, threads 0, handles 0, on 2 of 3 nodes",
            f"heap 1.5 MiB, threads {MINUS}1, handles 2, objects 1,300, on 2 of 3 nodes",
        ],
        [
            FAULTS["tables"].title,
            f"heap {MINUS}1.0 MiB, threads 0, handles 0",
            f"heap 1.5 MiB, threads {MINUS}1, handles 2, objects 1,300",
        ],
    ]
    assert told.splitlines()[-2:] == [
        "Nodes held 50 to 70 MiB of live heap, 50 to 70 threads and 50 to 70 handles without the plugin,",
        "and 60 to 80 MiB of live heap, 60 to 80 threads and 60 to 80 handles with it.",
    ]


def test_nothing_is_said_of_what_nodes_held_where_none_lived():
    told = document({"killed": {STOCK: account("killed", None), PLUGIN: account("killed", None)}})
    assert "held" not in told and len(rows(told)) == 1


def test_the_document_has_every_fault_and_nothing_that_a_run_fails_for():
    _, table, _ = documented_table.parts(project_root() / "docs" / "reliability.md", NAME)
    told = rows(table)
    by_title = {fault.title: fault for fault in FAULTS.values()}
    assert [row[0] for row in told] == list(by_title)
    for title, stock, plugin in told:
        if "started again" in plugin or "started again" in stock:
            continue
        stock_grew, grew = (_figures(cell) for cell in (stock, plugin))
        peers = len(by_title[title].scene.datacenters) - 1
        for beside, own, most in zip(stock_grew, grew, (MORE["heap_bytes"] / MIB, MORE["threads"],
                                     HANDLES_A_PEER * peers), strict=False):  # fmt: skip
            assert own <= max(0, beside) + most, title
        assert grew[3] <= OWN["plugin_objects"] or by_title[title].scene.many_tables, title


def _figures(cell: str) -> list[float]:
    found = FIGURES.fullmatch(cell)
    assert found, cell
    return [float(each.replace(MINUS, "-").replace(",", "")) for each in found.groups(default="0")]
