# SPDX-License-Identifier: Apache-2.0
import errno
import tempfile
from pathlib import Path

import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.measure import results_folder


def test_a_folder_is_made_and_left_as_it_was(tmp_path: Path):
    folder = tmp_path / "results" / "held-up"
    results_folder.prepare(folder)
    assert list(folder.iterdir()) == []
    (folder / "summary.json").write_text("{}")
    results_folder.prepare(folder)
    assert [file.name for file in folder.iterdir()] == ["summary.json"]


def test_one_that_takes_no_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(LabError, match=r"cannot take the results \(Read-only file system\): name another folder"):
        results_folder.prepare(tmp_path)
