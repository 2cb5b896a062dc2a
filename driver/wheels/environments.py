# SPDX-License-Identifier: Apache-2.0
"""Clean environments of other Pythons, filled by the pip of the one that makes the wheels."""

import subprocess
import sys
from pathlib import Path


def environment_of(python: Path, where: Path, *requirements: str) -> Path:
    """An environment with these requirements, none of them compiled here; return its Python."""
    subprocess.run([str(python), "-m", "venv", "--clear", "--without-pip", str(where)], check=True)
    made = where / "bin" / "python"
    install = ["--python", str(made), "install", "--quiet", "--only-binary", ":all:"]
    subprocess.run([sys.executable, "-m", "pip", *install, *requirements], check=True)
    return made
