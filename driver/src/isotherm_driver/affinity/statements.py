# SPDX-License-Identifier: Apache-2.0
"""What a statement is, as far as its routing is concerned."""

from typing import Any


def is_select(query: Any) -> bool:
    """Whether a statement reads; a batch does not."""
    prepared = getattr(query, "prepared_statement", None)
    text = getattr(prepared if prepared is not None else query, "query_string", None)
    return isinstance(text, str) and text.lstrip()[:6].upper() == "SELECT"


def table_of(query: Any) -> str | None:
    """The table of a statement, None where it states none; cassandra-driver's bound statements have it in a column."""
    table = getattr(query, "table", None)
    if isinstance(table, str):
        return table
    columns = getattr(getattr(query, "prepared_statement", None), "column_metadata", None)
    return columns[0].table_name if columns else None
