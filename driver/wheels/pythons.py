# SPDX-License-Identifier: Apache-2.0
"""Finds the Pythons that wheels are made with and tried in."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

VERSIONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
_TELL = """
import sys, sysconfig
print("%d.%d" % sys.version_info[:2], sysconfig.get_config_var("Py_GIL_DISABLED") or 0, sys.executable, sep="\\n")
"""


def identity(python: Path) -> str:
    """What a Python says of itself: its release and how it was compiled."""
    return subprocess.run(
        [str(python), "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=True
    ).stdout


def _told(python: Path) -> tuple[str, Path] | None:
    """The version and the file of a Python, which a shim may stand for.

    None where it does not start, or is free-threaded.
    """
    try:
        told = subprocess.run([str(python), "-c", _TELL], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    version, free_threaded, executable = told.splitlines()
    return (version, Path(executable)) if free_threaded == "0" else None


def _candidates() -> Iterator[Path]:
    """Pythons by whoever named them last: ISOTHERM_PYTHONS (paths with colons between), the PATH, pyenv."""
    yield from (Path(each) for each in os.environ.get("ISOTHERM_PYTHONS", "").split(":") if each)
    yield from (Path(found) for version in VERSIONS if (found := shutil.which(f"python{version}")))
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    yield from sorted(pyenv.glob("*/bin/python"), reverse=True)


def found() -> dict[str, Path]:
    """The first Python of each version that wheels are made for."""
    by_version: dict[str, Path] = {}
    for python in _candidates():
        told = _told(python)
        if told and told[0] in VERSIONS:
            by_version.setdefault(*told)
    return dict(sorted(by_version.items(), key=lambda each: VERSIONS.index(each[0])))
