# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from isotherm_lab import atomic_file


def test_a_failure_in_the_middle_leaves_the_former_file_and_nothing_beside_it(tmp_path, monkeypatch):
    file = tmp_path / "state.json"
    atomic_file.write(file, "the former")
    whole = Path.write_text

    def torn(self: Path, content: str, **more) -> None:
        whole(self, content[: len(content) // 2], **more)
        raise OSError("no space is left")

    monkeypatch.setattr(Path, "write_text", torn)
    with pytest.raises(OSError, match="no space"):
        atomic_file.write(file, "the next, of which half is written")
    assert file.read_text() == "the former"
    assert list(tmp_path.iterdir()) == [file]


def test_a_failure_at_the_first_writing_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "replace", lambda self, target: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        atomic_file.write(tmp_path / "state.json", "some")
    assert list(tmp_path.iterdir()) == []
