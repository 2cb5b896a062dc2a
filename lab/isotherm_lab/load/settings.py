# SPDX-License-Identifier: Apache-2.0
"""What a load generator is told when it starts."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True)
class LoadSettings:
    """Settings of a load generator; the module of a subclass is the program, which takes the settings' file."""

    contact_points: list[str]
    #: Where it writes what it measured.
    directory: str

    @property
    def program(self) -> str:
        """The module to run."""
        return type(self).__module__

    def save(self, path: Path) -> None:
        """Write the settings for the program to read."""
        path.write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, path: str) -> Self:
        """Return the settings in this file."""
        return cls(**json.loads(Path(path).read_text()))
