# SPDX-License-Identifier: Apache-2.0
"""Which build of the plugin a run tests: rows of several runs stand in one table only where it was the same."""

import hashlib
import subprocess
from pathlib import Path
from typing import Any

from isotherm_lab.errors import LabError
from isotherm_lab.measure import summary

#: What the jar comes of.
_PLUGIN = ("pom.xml", "core", "cassandra")


def rows(folder: Path, experiment: str, build: str, name: str) -> list[dict[str, Any]]:
    """Return the rows of this name in the summary that the folder has of the build; none without one, or of another."""
    if not (folder / summary.FILE).is_file():
        return []
    with summary.reading(folder, experiment):
        found = summary.read(folder, experiment)
        return list(found[name]) if found.get("plugin") == build else []


def digest(jar: Path) -> str:
    """Return the SHA-256 of the plugin's jar."""
    return hashlib.sha256(jar.read_bytes()).hexdigest()


def refuse_another(build: str, jar: Path) -> None:
    """Raise LabError unless the jar is still this build: a cluster builds it anew when its sources have changed."""
    if digest(jar) != build:
        raise LabError(
            "The plugin's sources changed meanwhile, and nobody knows which build was tested: run again, and leave"
            " them as they are until the run has ended."
        )


def sentence(name: str, sources: str, build: str) -> str:
    """Return what a document says of the build: the jar's name, its sources as `commit` has them, and its digest."""
    return f"The plugin is `{name}` of {sources}, its SHA-256\n`{build}`."


def commit(checkout: Path) -> str:
    """Return the checkout's commit, and whether the plugin's sources were changed since; as far as git knows."""
    known = _git(checkout, "rev-parse", "--short", "HEAD")
    if known.returncode != 0:
        return "an unknown commit"
    changed = _git(checkout, "status", "--porcelain", "--", *_PLUGIN).stdout
    return f"commit {known.stdout.strip()}{' with changes' if changed else ''}"


def _git(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=checkout, capture_output=True, text=True, check=False)
