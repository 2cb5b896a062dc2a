# SPDX-License-Identifier: Apache-2.0
"""Which room of the lab may import which: arrows run down, and there is no cycle."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import isotherm_lab

ROOT = Path(isotherm_lab.__file__).parent
ARROWS = {
    "experiments": {"charts", "load", "data", "cluster", "measure"},
    "charts": {"measure"},
    "load": {"data", "cluster", "measure"},
    "data": {"cluster"},
    "cluster": set(),
    "measure": set(),
}
#: Modules that every room stands on; they know none.
GROUND = {"atomic_file", "beside", "errors", "interruption", "paths", "progress"}
#: Where a command begins: it may know everything, and nothing knows it.
ENTRY = "cli"


def imports(file: Path) -> Iterator[str]:
    """Yield what a module imports of the lab, wherever in it, without the package's own name."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.removeprefix("isotherm_lab.") for name in names if name.startswith("isotherm_lab."))


def module_of(file: Path) -> str:
    """Return the name of a module below the package: `cluster.node`."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(file): file for file in ROOT.rglob("*.py")}


def imported_modules(file: Path) -> set[str]:
    """Return the modules of the lab that a module imports; a name imported from a module stands for that module."""
    return {name if name in FILES else name.rpartition(".")[0] for name in imports(file)}


def room(module: str) -> str:
    return module.partition(".")[0]


def test_every_folder_is_a_room():
    assert {folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").is_file()} == set(ARROWS)
    assert {file.stem for file in ROOT.glob("*.py")} == {*GROUND, ENTRY, "__init__"}


def may_know(own: str) -> set[str]:
    """Return the rooms and the modules of the ground that a module of this room may import."""
    if own in GROUND:
        return GROUND
    return {*GROUND, own, *ARROWS.get(own, ARROWS)}


def test_a_module_imports_only_what_its_room_may():
    strange = {
        module: set(map(room, imported_modules(file))) - may_know(room(module)) for module, file in FILES.items()
    }
    assert {module: rooms for module, rooms in strange.items() if rooms} == {}


def test_every_arrow_is_needed():
    found = {name: set() for name in ARROWS}
    for module, file in FILES.items():
        if room(module) in ARROWS:
            found[room(module)] |= {room(name) for name in imported_modules(file)} & set(ARROWS) - {room(module)}
    assert found == ARROWS


def test_the_readme_draws_the_same_arrows():
    rows = [
        line.split("|")[1:-1] for line in (ROOT.parent / "README.md").read_text().splitlines() if line.count("|") == 4
    ]
    drawn = {row[0].strip(" `"): set(re.findall(r"`(\w+)`", row[2])) for row in rows}
    assert {name: drawn.get(name) for name in ARROWS} == ARROWS


def test_neither_rooms_nor_modules_import_each_other_in_a_cycle():
    # Both raise CycleError, which names the cycle.
    TopologicalSorter(ARROWS).prepare()
    TopologicalSorter({module: imported_modules(file) - {module} for module, file in FILES.items()}).prepare()
