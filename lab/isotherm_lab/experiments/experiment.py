# SPDX-License-Identifier: Apache-2.0
"""What an experiment is to the command line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console


@dataclass(frozen=True)
class Experiment:
    """An experiment: how it is called, what may be said about it, how it runs, and which charts it has."""

    name: str
    #: One line.
    help: str
    #: Returns the plan of a run. Its parameters are the options of the command, with their help and defaults as typer
    #: reads them.
    plan: Callable[..., Any]
    #: Runs the plan, leaves everything in the folder, and shows the result.
    run: Callable[[Any, Path, Console], None]
    #: Draws the charts of the results in the folder and returns their files; None when it has none.
    draw: Callable[[Path], Sequence[Path]] | None = None


def drawn_by(module: str) -> Callable[[Path], Sequence[Path]]:
    """Return draw() of this module. It is imported when first called, as what draws takes long to import."""
    return lambda folder: import_module(module).draw(folder)
