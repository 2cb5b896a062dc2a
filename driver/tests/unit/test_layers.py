# SPDX-License-Identifier: Apache-2.0
"""Arrows between the folders of the package run down, and none comes back."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import isotherm_driver

PACKAGE = Path(isotherm_driver.__file__).parent
POLICIES = "the policies"
#: Modules that are below everything.
BOTTOM = {"drivers_types", "installed_driver", "native_modules", "new_process"}
#: What the modules of a folder may import, beside each other. A module on top is one of the policies or of what they
#: show to applications.
BELOW = {
    POLICIES: {"hosts", "statements", "routing", "reports", "busy", "affinity", *BOTTOM},
    "affinity": {"hosts", "statements", "routing", "reports", *BOTTOM},
    "busy": {"hosts", "routing", "reports", *BOTTOM},
    "reports": {"hosts", *BOTTOM},
    "routing": {"hosts", "statements", *BOTTOM},
    "statements": BOTTOM,
    "hosts": BOTTOM,
    **{module: set() for module in BOTTOM},
}
ON_TOP = {"__init__", "policies", "queue_aware", "queue_aware_order", "node_reports", "explaining", "rows"}
IMPORT = re.compile(r"^\s*(?:from\s+isotherm_driver([\w.]*)\s+c?import\s+(.+)|c?import\s+isotherm_driver.*)$", re.M)


def modules() -> dict[str, list[Path]]:
    """Return the sources of each module by its name below the package; .py, .pyx, .pxd and .pyi are one module."""
    found: dict[str, list[Path]] = {}
    for source in sorted(PACKAGE.rglob("*.p*")):
        if source.suffix in (".py", ".pyx", ".pxd", ".pyi"):
            found.setdefault(".".join(source.relative_to(PACKAGE).with_suffix("").parts), []).append(source)
    return found


MODULES = modules()


def imported(module: str) -> set[str]:
    """Return the other modules of the package that this one imports or cimports."""
    found = set()
    for source in MODULES[module]:
        for match in IMPORT.finditer(source.read_text()):
            where, names = match.groups()
            assert where is not None, f"{source.name}: `{match[0]}` names no module"
            # A name is a module, or else something in the module it is imported from.
            for name in names.partition("#")[0].split(","):
                below = f"{where}.{name.split()[0]}".lstrip(".")
                found.add(below if below in MODULES else where.lstrip("."))
    assert found <= MODULES.keys(), f"{module} imports {found - MODULES.keys()}"
    return found - {module}


def folder(module: str) -> str:
    return POLICIES if module in ON_TOP else module.partition(".")[0]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_its_own_folder_and_those_below(module: str) -> None:
    allowed = BELOW[folder(module)] | {folder(module)}
    assert {folder(each) for each in imported(module)} <= allowed


def test_no_folder_is_below_itself() -> None:
    *_, top = TopologicalSorter(BELOW).static_order()
    assert top == POLICIES


def test_no_modules_import_each_other() -> None:
    order = list(TopologicalSorter({module: imported(module) for module in MODULES}).static_order())
    assert len(order) == len(MODULES) > 30
