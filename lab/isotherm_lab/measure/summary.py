# SPDX-License-Identifier: Apache-2.0
"""The machine-readable result of an experiment, summary.json in the folder of its results."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from isotherm_lab import atomic_file
from isotherm_lab.errors import LabError

FILE = "summary.json"


def write(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write the summary in one step: a reader sees all of it or the one before. Return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    atomic_file.write(folder / FILE, json.dumps(content, indent=1) + "\n")
    return folder / FILE


def read(folder: Path, experiment: str) -> dict[str, Any]:
    """Return the summary that a run of the experiment left; LabError when there is none, or it cannot be read."""
    if not (folder / FILE).exists():
        raise LabError(f"There are no results in {folder}: {_makes(experiment)}")
    with reading(folder, experiment):
        return json.loads((folder / FILE).read_text())


@contextmanager
def reading(folder: Path, experiment: str) -> Iterator[None]:
    """Turn what fails while results are read into a LabError that says which command makes new ones."""
    try:
        yield
    except (OSError, ValueError, KeyError) as error:
        raise LabError(f"The results in {folder} cannot be read ({error}): {_makes(experiment)}") from error


def _makes(experiment: str) -> str:
    return f"`isotherm-lab run {experiment}` makes some."
