# SPDX-License-Identifier: Apache-2.0
"""One shared library holds all modules that are written in Cython, and Python finds them there."""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import isotherm_driver
from isotherm_driver import native_modules

PACKAGE = Path(isotherm_driver.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.pyx"))
NAMES = [".".join(source.relative_to(PACKAGE.parent).with_suffix("").parts) for source in SOURCES]


@pytest.mark.parametrize("name", NAMES)
def test_a_module_in_cython_comes_from_the_one_library(name: str) -> None:
    assert import_module(name).__file__ == native_modules.LIBRARY


def test_each_source_in_cython_is_a_module_that_is_found() -> None:
    assert set(NAMES) == native_modules.NAMES


def test_it_runs_without_its_sources_in_cython(tmp_path: Path) -> None:
    """As from an image or a bundle of what a program loads."""
    copy = tmp_path / PACKAGE.name
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("*.pyx", "*.pxd", "*.pyi", "*.c", "__pycache__"))
    done = subprocess.run(
        [sys.executable, "-c", "import isotherm_driver.queue_aware as loaded; print(loaded.__file__)"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.split() == [str(copy / "queue_aware.py")], done.stderr


def test_no_two_modules_have_the_same_entry_of_the_library() -> None:
    assert len({name.rpartition(".")[2] for name in NAMES}) == len(NAMES) > 30


def test_what_is_no_module_is_not_found() -> None:
    assert find_spec("isotherm_driver.hosts.nothing") is None
    with pytest.raises(ModuleNotFoundError):
        import_module("isotherm_driver.nothing")
    assert native_modules.NativeModules.find_spec("another_package.hosts.plan", None) is None


def test_a_package_without_its_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_modules, "LIBRARY", None)
    with pytest.raises(ImportError, match=r"no library for this Python.*: install the wheel for CPython 3\.\d+ "):
        native_modules.NativeModules.find_spec("isotherm_driver.hosts.plan", None)
