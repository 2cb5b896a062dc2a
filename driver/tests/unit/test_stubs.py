# SPDX-License-Identifier: Apache-2.0
"""What the type hints say there is: everything that the drivers' policies have, and nothing that is not."""

import ast
from pathlib import Path

import pytest
from cassandra import policies as driver
from policy_pairs import PAIRS

import isotherm_driver

PACKAGE = Path(isotherm_driver.__file__).parent
#: The base class of the stubs that says what is inherited of the drivers.
INHERITED = "_DriversPolicy"


def classes() -> dict[str, ast.ClassDef]:
    """Return the classes of all stubs by name; no two of them share one."""
    found = [
        each
        for stub in PACKAGE.rglob("*.pyi")
        for each in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(each, ast.ClassDef)
    ]
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}


def own_names(stub: ast.ClassDef) -> set[str]:
    names = {each.name for each in stub.body if isinstance(each, ast.FunctionDef)}
    return names | {each.target.id for each in stub.body if isinstance(each, ast.AnnAssign)}


def names_of(name: str, stubs: dict[str, ast.ClassDef]) -> set[str]:
    """Return what the stubs declare of a class and of its bases."""
    stub = stubs.get(name)
    if stub is None:
        return set()
    return own_names(stub).union(*(names_of(ast.unparse(base), stubs) for base in stub.bases))


@pytest.mark.parametrize("name", PAIRS)
def test_what_the_drivers_policy_has_is_declared(name: str) -> None:
    theirs, ours = PAIRS[name](driver), PAIRS[name](isotherm_driver)
    used = {each for each in dir(theirs) if not each.startswith("__")}
    assert used - names_of(type(ours).__name__, classes()) == set()


def test_what_is_declared_is_there() -> None:
    """Instances have it, whose attributes are not all of their class."""
    stubs = classes()
    for made in {type(each): each for each in (make(isotherm_driver) for make in PAIRS.values())}.values():
        declared = names_of(type(made).__name__, stubs)
        assert len(declared) > 8
        assert {each for each in declared if not hasattr(made, each)} == set()


@pytest.mark.parametrize("name", [name for name in classes() if name != INHERITED])
def test_each_declared_class_is_in_the_module_of_its_stub(name: str) -> None:
    stub = next(each for each in PACKAGE.rglob("*.pyi") if f"\nclass {name}" in each.read_text(encoding="utf-8"))
    module = __import__(".".join(("isotherm_driver", *stub.relative_to(PACKAGE).with_suffix("").parts)), fromlist=["*"])
    missing = {each for each in own_names(classes()[name]) if not each.startswith("_")} - set(
        dir(getattr(module, name))
    )
    # Attributes that a constructor makes are on no class; the test before has seen them on instances.
    assert missing <= {"local_dc", "local_rack", "used_hosts_per_remote_dc", "shuffle_replicas"}
