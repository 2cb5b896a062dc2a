# SPDX-License-Identifier: Apache-2.0
"""The pages for applications: their programs run, against hosts that are not there, and print what the page shows."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cassandra.cluster import Cluster
from queue_aware_policy import queue_aware_over
from topology import KEYSPACE, grid, statement

from isotherm_driver.explaining import explain
from isotherm_driver.queue_aware import QueueAwarePolicy

ROOT = Path(__file__).parents[3]
PAGES = [
    page
    for page in (ROOT / "docs" / "query-plans.md", ROOT / "docs" / "request-cost.md", ROOT / "driver" / "README.md")
    if page.exists()
]
BLOCK = re.compile(r"(?:^ {4}.*\n|^\n(?= {4}))+", re.M)

pytestmark = pytest.mark.skipif(not PAGES, reason="the pages are in the repository, not in the sdist")


def blocks(page: Path) -> list[str]:
    """Return the indented blocks of a page, without their indentation."""
    return [re.sub(r"^ {4}", "", found, flags=re.M).strip("\n") for found in BLOCK.findall(page.read_text("utf-8"))]


def programs(page: Path) -> list[str]:
    return [block for block in blocks(page) if block.startswith("from ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_programs_run_one_after_the_other(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = SimpleNamespace(execute=lambda *_: [], is_shutdown=False)
    monkeypatch.setattr(Cluster, "connect", lambda *_: session)
    known: dict[str, Any] = {}
    assert programs(page)
    for program in programs(page):
        known |= {"policy": queue_aware_over(grid(1, 1, 3)), "statement": statement(b"key", "shop")}
        exec(compile(program, page.name, "exec"), known)
        if "reader" in known:
            known.pop("reader").stop()
            assert isinstance(known["policy"], QueueAwarePolicy)
        if "cluster" in known:
            known["cluster"].shutdown()


BY_NAME = re.compile(r"pip install(?:\s+(?:-\S+|[\w.]+))*\s+'?isotherm-driver")


def test_nothing_tells_to_install_the_package_by_a_name_that_others_may_register() -> None:
    assert BY_NAME.search("pip install isotherm-driver[cassandra]")
    assert BY_NAME.search("`pip install --only-binary\nisotherm-driver isotherm-driver`")
    told = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "driver").rglob("*.md")]
    told += (ROOT / "driver").glob("setup.py")
    assert [page.name for page in told if BY_NAME.search(page.read_text("utf-8"))] == []


@pytest.mark.skipif(not (ROOT / "pom.xml").exists(), reason="the version stands in the repository")
def test_the_wheel_that_is_installed_has_this_version() -> None:
    wheels = re.findall(r"isotherm_driver-(.+?)-cp", (ROOT / "driver" / "README.md").read_text("utf-8"))
    assert set(wheels) == {re.findall(r"<revision>(.+?)</revision>", (ROOT / "pom.xml").read_text("utf-8"))[0]}


def test_what_explain_prints_is_what_it_prints() -> None:
    [shown] = [block for block in blocks(ROOT / "docs" / "query-plans.md") if block.startswith("1. ")]
    hosts = grid(1, 1, 4)
    policy = queue_aware_over(hosts, in_flight=dict(zip(hosts, (64, 3, 5, 0), strict=True)).get, affinity=True)
    # Which hosts are the replicas of a key, and which of them reads it, follows from its hash.
    printed = {str(explain(policy, statement(str(key).encode(), KEYSPACE))) for key in range(500)}
    assert shown in printed
