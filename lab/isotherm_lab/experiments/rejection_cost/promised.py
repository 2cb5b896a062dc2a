# SPDX-License-Identifier: Apache-2.0
"""What is promised of the cost of a rejection (docs/experiments.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from isotherm_lab.experiments.promises import Promise
from isotherm_lab.experiments.rejection_cost.run import FIXED

_PART = 0.25
#: Idle nodes' request threads wake for each request, rejected or not, which costs a third to a half of a read.
_KNOWN_OF_IDLE = 0.65


def promises(rows: Sequence[Mapping[str, Any]]) -> list[Promise]:
    """Return the promise for each row of a summary."""
    return [
        Promise(
            f"{each['partition_rows']} rows, {each['offered']}: a rejection, of a read",
            each["ratio"],
            _PART,
            _KNOWN_OF_IDLE if each["offered"] == FIXED else _PART,
        )
        for each in rows
    ]
