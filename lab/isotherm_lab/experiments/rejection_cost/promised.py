# SPDX-License-Identifier: Apache-2.0
"""What is promised of the cost of a rejection (docs/experiments.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from isotherm_lab.experiments.promises import Promise

#: Idle nodes' request threads wake for each request, rejected or not, which costs a third to a half of a read.
_KNOWN = 0.65


def promises(rows: Sequence[Mapping[str, Any]]) -> list[Promise]:
    """Return the promise for each row of a summary."""
    return [
        Promise(
            f"{each['partition_rows']} rows, {each['offered']}: a rejection, of a read", each["ratio"], 0.25, _KNOWN
        )
        for each in rows
    ]
