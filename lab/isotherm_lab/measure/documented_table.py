# SPDX-License-Identifier: Apache-2.0
"""A table that a run writes into a document, between a line that names the run and a line that ends it."""

from collections.abc import Sequence
from pathlib import Path

from isotherm_lab import atomic_file
from isotherm_lab.errors import LabError

_END = "<!-- end -->"
_RUN = "isotherm-lab run"


def markdown(heading: Sequence[str], rows: Sequence[Sequence[str]], *, names: int) -> str:
    """Return the table; its first `names` columns hold names, the others numbers."""
    rule = ["---"] * names + ["---:"] * (len(heading) - names)
    return "".join(f"| {' | '.join(line)} |\n" for line in (heading, rule, *rows))


def parts(file: Path, experiment: str, made_by: str = _RUN) -> tuple[str, str, str]:
    """Return what stands before the table, the table, and what stands after it; LabError without its two lines."""
    begin = _begin(experiment, made_by)
    before, found, rest = file.read_text().partition(begin)
    table, end, after = rest.partition(_END)
    if not found or not end:
        raise LabError(f"{file} has no place for the table: a line {begin} and after it a line {_END}.")
    return before, table.strip(), after


def put(file: Path, experiment: str, table: str, made_by: str = _RUN) -> None:
    """Replace the table in the document."""
    before, _, after = parts(file, experiment, made_by)
    atomic_file.write(file, f"{before}{_begin(experiment, made_by)}\n\n{table}\n{_END}{after}")


def _begin(experiment: str, made_by: str) -> str:
    return f"<!-- {made_by} {experiment} -->"
