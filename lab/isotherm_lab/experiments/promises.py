# SPDX-License-Identifier: Apache-2.0
"""What an experiment promises of its figures, and which promises a run has kept, missed or broken."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from isotherm_lab.errors import BrokenPromiseError
from isotherm_lab.experiments.result_table import result_table


@dataclass(frozen=True)
class Promise:
    """One figure and its bound."""

    what: str
    #: None: what is measured never came about.
    measured: float | None
    bound: float
    #: Beyond it the run ends with an error: what the pages say of runs that have missed the bound, and some chance. One
    #: run of three nodes on two cores is noisy. Infinite: never is known, too.
    known: float
    #: Whether the bound is the least, and not the most.
    at_least: bool = False
    unit: str = ""

    def __post_init__(self) -> None:
        if not (self.known <= self.bound if self.at_least else self.known >= self.bound):
            raise ValueError(f"{self.what}: an error from {self.known} on, though {self.bound} is promised")

    @property
    def kept(self) -> bool:
        """Whether the figure is within its bound."""
        return self._within(self.bound)

    @property
    def broken(self) -> bool:
        """Whether it is further from it than is known."""
        return not self._within(self.known)

    def _within(self, bound: float) -> bool:
        if self.measured is None:
            return bound == math.inf and not self.at_least
        return self.measured >= bound if self.at_least else self.measured <= bound

    def cells(self) -> tuple[str, str, str, str]:
        """Return the figure for a person: what, how much, how much is promised, and what came of it."""
        most = f"{'at least' if self.at_least else 'at most'} {self.bound:g}{self.unit}"
        return self.what, self.shown(), most, "kept" if self.kept else "broken" if self.broken else "missed"

    def shown(self) -> str:
        """Return what was measured."""
        return "never" if self.measured is None else f"{self.measured:.3g}{self.unit}"


def report(promises: Sequence[Promise], console: Console) -> None:
    """Show the promises; BrokenPromiseError naming those that are broken."""
    if promises:
        console.print(table(promises))
    wrong = [each for each in promises if each.broken]
    if wrong:
        said = (f"{each.what}: {each.shown()}, promised {each.cells()[2]}" for each in wrong)
        raise BrokenPromiseError("Not as promised, by more than is known:\n" + "\n".join(said))


def table(promises: Sequence[Promise]) -> Table:
    """Return the promises for a person."""
    shown = result_table(
        "What is promised",
        "missed: by little more than docs/ tell of other runs. broken: by more.",
        left=["promise"],
        right=["measured", "promised", ""],
        padding=1,
    )
    # A long name goes on in the next line: the numbers beside it are what one looks for.
    shown.columns[0].no_wrap = False
    for each in promises:
        shown.add_row(*each.cells())
    return shown
