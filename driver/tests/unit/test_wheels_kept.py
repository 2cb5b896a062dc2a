# SPDX-License-Identifier: Apache-2.0
"""A run of `make wheels` leaves out what an earlier one has done, and only as long as nothing has changed."""

import sys
from pathlib import Path

import pytest

WHEELS = Path(__file__).parents[2] / "wheels"
sys.path.insert(0, str(WHEELS))
kept = pytest.importorskip("kept", reason="the recipe of the wheels is in the repository, not in the sdist")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    where = tmp_path / "sources"
    (where / "src").mkdir(parents=True)
    (where / "src" / "plan.pyx").write_text("one")
    (where / "setup.py").write_text("two")
    return where


def test_what_was_done_of_the_same_is_kept(tmp_path: Path, sources: Path) -> None:
    before = kept.digest(sources, "3.14")
    kept.Kept(tmp_path / "kept").note("tried", before)
    (sources / "setup.py").touch()
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__" / "setup.pyc").write_text("three")
    assert kept.Kept(tmp_path / "kept").has("tried", kept.digest(sources, "3.14"))
    assert not kept.Kept(tmp_path / "kept").has("made", before)


@pytest.mark.parametrize("change", ["content", "name", "file", "python"])
def test_a_change_outdates_it(change: str, tmp_path: Path, sources: Path) -> None:
    keeping = kept.Kept(tmp_path / "kept")
    keeping.note("tried", kept.digest(sources, "3.14"))
    if change == "content":
        (sources / "src" / "plan.pyx").write_text("four")
    elif change == "name":
        (sources / "setup.py").rename(sources / "setup.cfg")
    elif change == "file":
        (sources / "src" / "plan.pxd").touch()
    assert not keeping.has("tried", kept.digest(sources, "3.13" if change == "python" else "3.14"))


def test_a_file_replaces_the_one_that_was_kept_under_its_name(tmp_path: Path) -> None:
    keeping = kept.Kept(tmp_path / "kept")
    for number in (1, 2):
        made = tmp_path / f"wheel-{number}.whl"
        made.write_text(str(number))
        keeping.keep(made, "cp314", f"digest {number}")
        assert keeping.file("cp314").read_text() == str(number)
        assert keeping.has("cp314", f"digest {number}")
    assert not keeping.has("cp314", "digest 1")


def test_what_was_not_kept_whole_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeping = kept.Kept(tmp_path / "kept")
    made = tmp_path / "wheel.whl"
    made.write_text("one")
    keeping.keep(made, "cp314", "digest")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("shutil.copy", stopped)
    with pytest.raises(KeyboardInterrupt):
        keeping.keep(made, "cp314", "digest")
    assert not keeping.has("cp314", "digest")
