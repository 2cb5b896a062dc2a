# SPDX-License-Identifier: Apache-2.0
"""The build of the checker of histories, without Go."""

import shutil
import subprocess
from pathlib import Path

import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.measure import linearizable


@pytest.fixture(autouse=True)
def go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A Go that is there."""
    monkeypatch.setattr(shutil, "which", lambda _: "/go")
    monkeypatch.setattr(linearizable, "working_directory", lambda: tmp_path)


def test_a_build_that_does_not_end_is_said(monkeypatch: pytest.MonkeyPatch):
    def run(command: list[str], timeout: float, **_: object) -> None:
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(LabError, match=r"within 300 s: .* See what `go build` in lab/linearizable waits for"):
        linearizable.checker()


def test_a_build_that_fails_is_said_with_its_reason(monkeypatch: pytest.MonkeyPatch):
    failed = subprocess.CompletedProcess([], 1, "", "main.go:1: it is wrong")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(LabError, match=r"could not build the checker of histories: main\.go:1: it is wrong"):
        linearizable.checker()
