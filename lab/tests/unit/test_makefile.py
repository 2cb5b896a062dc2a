# SPDX-License-Identifier: Apache-2.0
"""What the Makefile does with an environment of Python whose making was interrupted."""

import subprocess
from pathlib import Path

import pytest

from isotherm_lab.paths import project_root


def recipe(folder: Path, target: str, *variables: str) -> str:
    """Return the line that makes the environment in the folder, as make would run it."""
    ran = subprocess.run(
        ["make", "--dry-run", "--always-make", *variables, target],
        cwd=project_root(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    (line,) = (line for line in ran.stdout.splitlines() if line.endswith(f" {folder}") and " -m venv " in line)
    return line


@pytest.mark.parametrize("variable", ["WHEELS", "SCYLLA"])
def test_an_environment_without_pip_is_made_anew_and_a_whole_one_stays(tmp_path: Path, variable: str) -> None:
    folder, programs = tmp_path / "environment", tmp_path / "bin"
    target = "wheels" if variable == "WHEELS" else f"{folder}/driver"
    line = recipe(folder, target, f"{variable}={folder}")
    programs.mkdir()
    (programs / "python3").write_text('#!/bin/sh\necho "$@"\n')
    (programs / "python3").chmod(0o755)

    def told() -> str:
        ran = subprocess.run(
            ["/bin/sh", "-c", line], env={"PATH": str(programs)}, capture_output=True, text=True, check=True
        )
        return ran.stdout.strip()

    made = f"-m venv --clear {folder}"
    assert told() == made
    # As far as it was when ensurepip was interrupted.
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to("/bin/true")
    assert told() == made
    (folder / "bin" / "pip").write_text("#!/bin/sh\nexit 1\n")
    (folder / "bin" / "pip").chmod(0o755)
    assert told() == made
    (folder / "bin" / "pip").write_text("#!/bin/sh\necho pip 25\n")
    assert told() == ""
