# SPDX-License-Identifier: Apache-2.0
"""Which build a run says that it tested."""

import re
import subprocess
from pathlib import Path

import pytest

from isotherm_lab.experiments import tested_build


def test_the_commit_of_a_build_is_known_as_far_as_git_knows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=tmp_path, check=True,
                       capture_output=True)  # fmt: skip

    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert tested_build.commit(tmp_path) == "an unknown commit"
    git("init")
    for name in ("pom.xml", "README.md"):
        (tmp_path / name).write_text("one")
    git("add", ".")
    git("commit", "-m", "One")
    (tmp_path / "README.md").write_text("another")
    assert re.fullmatch("commit [0-9a-f]{7,}", tested_build.commit(tmp_path))
    (tmp_path / "pom.xml").write_text("another")
    assert re.fullmatch("commit [0-9a-f]{7,} with changes", tested_build.commit(tmp_path))
