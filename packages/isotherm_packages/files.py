# SPDX-License-Identifier: Apache-2.0
"""The files of the project that packages bring."""

from dataclasses import dataclass
from pathlib import Path

from isotherm_packages.archive import Entry


@dataclass(frozen=True)
class Project:
    """The checkout, the built jar and the version that it has."""

    root: Path
    jar: Path
    version: str

    def entry(self, source: str, path: str, mode: int = 0o644) -> Entry:
        """Return a file of the checkout under another name."""
        return Entry(path, (self.root / source).read_bytes(), mode)

    def jar_entry(self, path: str) -> Entry:
        """Return the jar under another name."""
        return Entry(path, self.jar.read_bytes())

    def entries(self, folder: str, path: str) -> list[Entry]:
        """Return the text files of a folder of the checkout, in another folder, with the version for VERSION."""
        found = sorted(file for file in (self.root / folder).iterdir() if file.is_file())
        return [
            Entry(f"{path}/{file.name}", file.read_text().replace("VERSION", self.version).encode()) for file in found
        ]
