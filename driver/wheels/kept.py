# SPDX-License-Identifier: Apache-2.0
"""What a run has made and tried, noted with a digest of all that it follows from, for the next run to leave out."""

import hashlib
import shutil
from pathlib import Path

_NOT_READ = {"__pycache__", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache"}


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(each for each in path.rglob("*") if each.is_file() and not _NOT_READ & set(each.parts))


def digest(*follows_from: Path | str) -> str:
    """A digest of texts, and of files: their contents, and their names from the path on that is given."""
    found = hashlib.sha256()
    for each in follows_from:
        if isinstance(each, str):
            found.update(f"text {len(each)} {each}".encode())
            continue
        for file in _files(each):
            found.update(f"file {file.relative_to(each.parent)} {file.stat().st_size} ".encode())
            found.update(file.read_bytes())
    return found.hexdigest()


class Kept:
    """A directory of notes by name, each of which says what it follows from and may come with a file."""

    def __init__(self, where: Path):
        self._where = where
        where.mkdir(parents=True, exist_ok=True)

    def has(self, name: str, follows_from: str) -> bool:
        """Whether there is a note that follows from just this."""
        note = self._where / f"{name}.note"
        return note.exists() and note.read_text() == follows_from

    def note(self, name: str, follows_from: str) -> None:
        (self._where / f"{name}.note").write_text(follows_from)

    def keep(self, made: Path, name: str, follows_from: str) -> None:
        """Copy a file here and note it, once it is whole, in place of what was kept under the name."""
        (self._where / f"{name}.note").unlink(missing_ok=True)
        shutil.rmtree(self._where / name, ignore_errors=True)
        (self._where / name).mkdir()
        shutil.copy(made, self._where / name)
        self.note(name, follows_from)

    def file(self, name: str) -> Path:
        """The file that is kept under a name, whatever the file's own is."""
        [found] = (self._where / name).iterdir()
        return found
