# SPDX-License-Identifier: Apache-2.0
"""The folder that takes the results of a run."""

import tempfile
from pathlib import Path

from isotherm_lab.errors import LabError


def prepare(folder: Path) -> None:
    """Make the folder, and try whether files can be written there; LabError when they cannot.

    To be called before a run, which may take hours before it writes anything.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(b"0")
    except OSError as error:
        raise LabError(
            f"{folder} cannot take the results ({error.strerror}): name another folder with --out."
        ) from error
