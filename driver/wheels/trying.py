# SPDX-License-Identifier: Apache-2.0
"""Tries a wheel as a user gets it: in a clean environment, with a driver, and without a compiler."""

import subprocess
import tomllib
from pathlib import Path

from environments import environment_of

DRIVERS = ["scylla", "cassandra"]


def passes(wheel: Path, python: Path, driver: str, package: Path, scratch: Path) -> bool:
    """Whether the unit tests pass with a wheel and the oldest supported release of a driver."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    [release] = project["optional-dependencies"][driver]
    tests = [each for each in project["optional-dependencies"]["test"] if "benchmark" not in each]
    installed = environment_of(python, scratch, str(wheel), release.replace(">=", "=="), *tests)
    command = [str(installed), "-m", "pytest", "-q", "-p", "no:cacheprovider", str(package / "tests" / "unit")]
    # Nothing but the environment's own commands: no compiler is found, and none of the sources lies beside the tests.
    return subprocess.run(command, env={"PATH": str(installed.parent)}, cwd=scratch, check=False).returncode == 0
