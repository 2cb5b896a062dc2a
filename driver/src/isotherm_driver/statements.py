# SPDX-License-Identifier: Apache-2.0
"""What a statement is, as far as its routing is concerned."""

from typing import Any


def is_select(query: Any) -> bool:
    """Whether a statement reads; a batch does not."""
    prepared = getattr(query, "prepared_statement", None)
    text = getattr(prepared if prepared is not None else query, "query_string", None)
    return isinstance(text, str) and text.lstrip()[:6].upper() == "SELECT"
