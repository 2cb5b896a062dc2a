# SPDX-License-Identifier: Apache-2.0
"""Tries a wheel as a user gets it: in a clean environment, with a driver, and without a compiler."""

import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

DRIVERS = ["scylla", "cassandra"]


def drivers_in_python(version: str) -> list[str]:
    """The drivers that start without their shared libraries: from 3.12 on Python has no event loop for Apache's."""
    return DRIVERS if version in ("3.10", "3.11") else ["scylla"]


def requirements(package: Path, driver: str) -> list[str]:
    """The oldest supported release of a driver, and what the tests need."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    [release] = project["optional-dependencies"][driver]
    tests = [each for each in project["optional-dependencies"]["test"] if "benchmark" not in each]
    return [release.replace(">=", "=="), *tests]


def passes(wheel: Path, python: Path, driver: str, package: Path, scratch: Path, environment_of: Callable) -> bool:
    """Whether the unit tests pass with a wheel in an environment made by `environment_of`."""
    installed = environment_of(python, scratch, str(wheel), *requirements(package, driver))
    command = [str(installed), "-m", "pytest", "-q", "-p", "no:cacheprovider", str(package / "tests" / "unit")]
    # Nothing but the environment's own commands: no compiler is found, and none of the sources lies beside the tests.
    return subprocess.run(command, env={"PATH": str(installed.parent)}, cwd=scratch, check=False).returncode == 0
