# SPDX-License-Identifier: Apache-2.0
"""What became of the updates of several clients of an open-loop load."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from isotherm_lab.errors import LabError
from isotherm_lab.measure import samples

ACKNOWLEDGED = "acknowledged"
#: The errors that say that time ran out: the server's, and the client's own.
TIMEOUTS = ("WriteTimeout", "OperationTimedOut")


def of_clients(folders: Sequence[Path]) -> tuple[np.ndarray, Counter[str]]:
    """Return the records of all clients by intended time, and how many updates ended how: acknowledged, or an error."""
    blocks = [samples.read(folder / samples.FILE) for folder in folders]
    outcomes: Counter[str] = Counter()
    for folder, block in zip(folders, blocks, strict=True):
        outcomes[ACKNOWLEDGED] += int(np.count_nonzero(block["outcome"] == samples.ANSWERED))
        for error in json.loads((folder / "errors.json").read_text()):
            outcomes[error["type"]] += error["count"]
    records = np.concatenate(blocks)
    return records[np.argsort(records["intended_us"], kind="stable")], outcomes


def timed_out(outcomes: Counter[str]) -> int:
    """Return how many updates ran out of time: each may have been counted."""
    return sum(outcomes[name] for name in TIMEOUTS)


def failed(outcomes: Counter[str]) -> int:
    """Return how many updates ended in any other error."""
    return sum(outcomes.values()) - outcomes[ACKNOWLEDGED] - timed_out(outcomes)


def tally(outcomes: Counter[str], counted: int) -> dict[str, int]:
    """Return the account of these outcomes: who was told what, and by how much the counters grew."""
    return {
        "acknowledged": outcomes[ACKNOWLEDGED],
        "timed_out": timed_out(outcomes),
        "failed": failed(outcomes),
        "counted": counted,
    }


def exact(account: Mapping[str, int]) -> bool:
    """Whether nothing acknowledged was lost, and nothing counted that no client may have caused."""
    at_most = account["acknowledged"] + account["timed_out"] + account["failed"]
    return account["acknowledged"] <= account["counted"] <= at_most


def refuse_inexact(accounts: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise a LabError that names the variants whose accounts are not exact: updates were lost, or counted twice.

    Or which prove nothing: no update was acknowledged.
    """
    wrong = {
        "Updates were lost or counted twice": [name for name, own in accounts.items() if not exact(own)],
        "No update was acknowledged (the errors.json of the clients say why)": [
            name for name, own in accounts.items() if not own["acknowledged"]
        ],
    }
    sentences = [f"{what}: {', '.join(names)}." for what, names in wrong.items() if names]
    if sentences:
        raise LabError("\n".join(sentences))
