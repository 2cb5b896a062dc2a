# SPDX-License-Identifier: Apache-2.0
"""What a person sees of a table on a terminal."""

from rich.console import Console
from rich.table import Table

WIDTH = 80


def shown(table: Table) -> list[str]:
    """Return the lines of the table; none may be wider than a terminal."""
    console = Console(width=WIDTH)
    with console.capture() as captured:
        console.print(table)
    lines = captured.get().splitlines()
    assert max(map(len, lines)) <= WIDTH
    return lines
