# SPDX-License-Identifier: Apache-2.0
"""The releases of the drivers that the tests run under: the oldest supported ones, and the newest where it is newer."""

import json
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
#: Where each driver is pinned for the tests.
PINNED = {"cassandra": ROOT / "lab" / "pyproject.toml", "scylla": ROOT / "Makefile"}
NEWEST = Path(__file__).parents[1] / "newest_release.py"

pytestmark = pytest.mark.skipif(
    not PINNED["scylla"].exists(), reason="the pins are in the repository, not in the sdist"
)


@pytest.fixture
def newest() -> ModuleType:
    spec = spec_from_file_location("newest_release", NEWEST)
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def pip_that_prints(report: str, where: Path) -> Path:
    """Return a Python that answers whatever it is asked with a report of pip; nothing is asked of a package index."""
    made = where / "python"
    made.write_text(f"#!{sys.executable}\nimport sys\nsys.exit({report})\n")
    made.chmod(0o755)
    return made


@pytest.mark.parametrize("driver", PINNED)
def test_the_tests_run_under_the_oldest_supported_release(driver: str) -> None:
    [supported] = re.findall(
        rf'^{driver} = \["{driver}-driver>=([\d.]+)"\]$', (ROOT / "driver" / "pyproject.toml").read_text(), re.M
    )
    assert re.findall(rf"{driver}-driver==([\d.]+)", PINNED[driver].read_text()) == [supported]
    page = " ".join((ROOT / "docs" / "query-plans.md").read_text().split())
    assert f"`{driver}-driver` {supported}" in page


def test_make_test_runs_them_under_the_newest_release_of_both() -> None:
    [line] = [each for each in (ROOT / "Makefile").read_text().splitlines() if NEWEST.name in each]
    assert re.findall(r"(\w+)-driver=", line) == list(PINNED)


@pytest.mark.parametrize("found", [["3.31.0"], []])
def test_a_newer_release_is_found(found: list, newest: ModuleType, tmp_path: Path) -> None:
    report = {"install": [{"metadata": {"version": each}} for each in found]}
    python = pip_that_prints(f"print({json.dumps(json.dumps(report))})", tmp_path)
    assert newest.newer_release(python, "cassandra-driver") == (found[0] if found else None)


def test_without_a_package_index_the_last_line_says_what_was_not_tested(
    newest: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = pip_that_prints("'no route'", tmp_path)
    monkeypatch.setattr(sys, "argv", ["newest_release.py", f"cassandra-driver={python}", f"scylla-driver={python}"])
    assert newest.main() == 0
    *before, last = capsys.readouterr().out.splitlines()
    assert "no route" in before
    assert last.startswith("NOT TESTED") and last.endswith(": cassandra-driver, scylla-driver")


@pytest.mark.parametrize("passing", [True, False])
def test_a_test_that_fails_under_the_newest_release_fails_the_run(
    passing: bool, newest: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest, "newer_release", lambda *_: "3.31.0")
    monkeypatch.setattr(newest, "environment_of", lambda *_: pip_that_prints("0" if passing else "1", tmp_path))
    monkeypatch.setattr(sys, "argv", ["newest_release.py", "cassandra-driver=python"])
    assert newest.main() == (0 if passing else 1)
