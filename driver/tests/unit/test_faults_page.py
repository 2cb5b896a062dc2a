# SPDX-License-Identifier: Apache-2.0
"""The page on the faults of the drivers' policies: each program shows its fault on the installed driver."""

import doctest
import re
from pathlib import Path

import pytest
from topology import IS_SCYLLA

PAGE = Path(__file__).parents[3] / "docs" / "driver-policy-faults.md"
INSTALLED = "scylla-driver" if IS_SCYLLA else "cassandra-driver"
SECTION = re.compile(r"^## (.+?)(?: \(([\w -]+)\))?\n(.+?)(?=^## |\Z)", re.M | re.S)
SECTIONS = SECTION.findall(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else []


@pytest.mark.parametrize(("title", "drivers", "text"), SECTIONS[1:], ids=[title for title, _, _ in SECTIONS[1:]])
def test_the_fault_shows(title: str, drivers: str, text: str) -> None:
    assert drivers in ("both drivers", "scylla-driver", "cassandra-driver")
    if drivers not in ("both drivers", INSTALLED):
        pytest.skip(f"{INSTALLED} has not got this fault")
    examples = doctest.DocTestParser().get_doctest(SECTIONS[0][2] + text, {}, title, str(PAGE), 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 15
    assert results.failed == 0


@pytest.mark.skipif(not PAGE.exists(), reason="the page is in the repository, not in the sdist")
def test_the_page_has_its_programs() -> None:
    assert len(SECTIONS) > 8
