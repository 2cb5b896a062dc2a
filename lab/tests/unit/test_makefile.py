# SPDX-License-Identifier: Apache-2.0
"""What the Makefile does with an environment of Python whose making was interrupted, and which tests it selects."""

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from isotherm_lab.experiments.soak.faults import FAULTS
from isotherm_lab.experiments.soak.plan import USUAL_FAULTS
from isotherm_lab.paths import project_root


def recipe(target: str, *variables: str) -> list[str]:
    """Return the lines that make would run."""
    ran = subprocess.run(
        ["make", "--dry-run", "--always-make", *variables, target],
        cwd=project_root(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return ran.stdout.splitlines()


def creation(folder: Path, target: str, *variables: str) -> str:
    """Return the line that makes the environment in the folder."""
    (line,) = (line for line in recipe(target, *variables) if line.endswith(f" {folder}") and " -m venv " in line)
    return line


@pytest.mark.parametrize("variable", ["WHEELS", "SCYLLA"])
def test_an_environment_without_pip_is_made_anew_and_a_whole_one_stays(tmp_path: Path, variable: str) -> None:
    folder, programs = tmp_path / "environment", tmp_path / "bin"
    target = "wheels" if variable == "WHEELS" else f"{folder}/driver"
    line = creation(folder, target, f"{variable}={folder}")
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


def test_fuzz_runs_each_test_that_gives_a_decoder_mangled_bytes() -> None:
    selected = [
        pattern for line in recipe("fuzz") for given in re.findall(r"-Dtest='([^']+)'", line)
        for pattern in given.split(",")
    ]  # fmt: skip
    root = project_root()
    classes = {
        file.stem
        for tests in root.rglob("src/test/java")
        for file in tests.rglob("*.java")
        if "MangledBytes.give" in file.read_text()
    }
    assert {name for name in classes if not any(fnmatchcase(name, pattern) for pattern in selected)} == set()
    # A pattern that selects nothing is a class that has another name now.
    assert {pattern for pattern in selected if not any(fnmatchcase(name, pattern) for name in classes)} == set()


def test_soak_has_each_fault_suffered_once() -> None:
    runs = [line for line in recipe("soak") if " run soak " in line]
    named = [re.findall(r"--fault (\S+)", line) for line in runs]
    suffered = [name for names in named for name in names or USUAL_FAULTS]
    assert sorted(suffered) == sorted(FAULTS)
    assert all(" --document docs/reliability.md" in line for line in runs)
