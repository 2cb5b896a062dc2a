# SPDX-License-Identifier: Apache-2.0
"""What the documents tell applications to import is there."""

import importlib
import re
from pathlib import Path

import pytest
from cassandra import policies as drivers_policies

import isotherm_driver

DRIVER = Path(__file__).parents[2]
DOCUMENTS = [DRIVER / "README.md", *(DRIVER.parent / "docs" / page for page in ("query-plans.md", "request-cost.md"))]
IMPORT = re.compile(r"^ +from (isotherm_driver[\w.]*) import ([\w, ]+?)(?: +#.*)?$", re.M)
IMPORTS = sorted({each for document in DOCUMENTS if document.exists() for each in IMPORT.findall(document.read_text())})


@pytest.mark.parametrize(("module", "names"), IMPORTS)
def test_documented_imports_work(module: str, names: str) -> None:
    found = importlib.import_module(module)
    assert [name for name in names.split(", ") if not hasattr(found, name)] == []


def test_the_documents_show_the_public_modules() -> None:
    assert {module for module, _ in IMPORTS} == {
        "isotherm_driver.explaining",
        "isotherm_driver.node_reports",
        "isotherm_driver.policies",
        "isotherm_driver.queue_aware",
        "isotherm_driver.rows",
    }


def test_a_star_gives_what_the_drivers_does_and_our_policies_and_nothing_else() -> None:
    theirs, ours = {}, {}
    exec("from cassandra.policies import *", theirs)
    exec("from isotherm_driver.policies import *", ours)
    assert set(ours) == set(theirs) | set(isotherm_driver.__all__)
    assert ours["RetryPolicy"] is drivers_policies.RetryPolicy
    assert ours["TokenAwarePolicy"] is importlib.import_module("isotherm_driver.policies").TokenAwarePolicy
