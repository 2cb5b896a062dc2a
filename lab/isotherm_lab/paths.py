# SPDX-License-Identifier: Apache-2.0
"""Where the project, its working files and its results are."""

import os
from pathlib import Path

from isotherm_lab.errors import LabError


def project_root() -> Path:
    """Return the checkout: $ISOTHERM_HOME, else the folder above this package that holds the root pom."""
    named = os.environ.get("ISOTHERM_HOME")
    candidates = [Path(named)] if named else [*Path(__file__).resolve().parents, Path.cwd(), *Path.cwd().parents]
    for folder in candidates:
        if (folder / "pom.xml").is_file() and (folder / "lab" / "node").is_dir():
            return folder.resolve()
    raise LabError("The Isotherm checkout was not found: run this inside it, or set ISOTHERM_HOME to its path.")


def working_directory() -> Path:
    """Return .lab/, where clusters and caches live; nothing in it is worth keeping."""
    return project_root() / ".lab"


def results_directory() -> Path:
    """Return results/, where runs leave what they measured unless told otherwise."""
    return project_root() / "results"
