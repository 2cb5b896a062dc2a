# SPDX-License-Identifier: Apache-2.0
"""Which sources the tested build of the plugin is made of."""

import subprocess
from pathlib import Path

#: What the jar comes of.
_PLUGIN = ("pom.xml", "core", "cassandra")


def commit(checkout: Path) -> str:
    """Return the checkout's commit, and whether the plugin's sources were changed since; as far as git knows."""
    known = _git(checkout, "rev-parse", "--short", "HEAD")
    if known.returncode != 0:
        return "an unknown commit"
    changed = _git(checkout, "status", "--porcelain", "--", *_PLUGIN).stdout
    return f"commit {known.stdout.strip()}{' with changes' if changed else ''}"


def _git(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=checkout, capture_output=True, text=True, check=False)
