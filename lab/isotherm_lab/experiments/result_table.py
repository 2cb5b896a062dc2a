# SPDX-License-Identifier: Apache-2.0
"""How results are shown to a person: as tables that fit a terminal."""

from collections.abc import Sequence

from rich import box
from rich.table import Table


def result_table(
    title: str, caption: str | None = None, *, left: Sequence[str], right: Sequence[str], padding: int = 0
) -> Table:
    """Return a table without rows; its first columns hold names, the others numbers. `padding` is between columns."""
    table = Table(
        title=title, caption=caption, title_justify="left", caption_justify="left", box=box.SIMPLE_HEAD,
        padding=(0, padding), pad_edge=False,
    )  # fmt: skip
    for heading in left:
        table.add_column(heading, no_wrap=True)
    for heading in right:
        table.add_column(heading, justify="right", no_wrap=True)
    return table
