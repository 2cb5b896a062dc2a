# SPDX-License-Identifier: Apache-2.0
"""What is promised of a partition that becomes hot (docs/experiments.md)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from isotherm_lab.experiments.hot_partition.plan import RECOVERY_S
from isotherm_lab.experiments.promises import Promise

#: Of two hot partitions the one over the other.
_ALIKE = 1.3


def promises(concluded: Mapping[str, Any]) -> list[Promise]:
    """Return the promises with what a summary has of them."""
    under = [
        # Without a limit: that there is something to mend at all.
        Promise("background beside the hot client, of usual", concluded["under_hot"], 0.5, 0.7),
        Promise("background under the limit, of usual", concluded["under_limit"], 0.95, 0.85, at_least=True),
        *_failed("under the limit: ", concluded["phases"][2:]),
    ]
    return under + [each for name, fair in concluded["fair_share"].items() for each in _of_shares(name, fair)]


def _of_shares(name: str, fair: Mapping[str, Any]) -> Iterator[Promise]:
    usual, hot, _ = (phase["background_per_s"] for phase in fair["phases"])
    yield Promise(f"{name}: background, of usual", hot / usual if usual else None, 0.9, 0.85, at_least=True)
    yield Promise(f"{name}: background back after", fair["recovered_s"], RECOVERY_S, 1.2 * RECOVERY_S, unit=" s")
    if fair["hot_of_left"] is not None:
        yield Promise(f"{name}: hot, of what is left", fair["hot_of_left"], 0.5, 0.45, at_least=True)
    refused = max(phase["background_rejected_per_s"] for phase in fair["phases"])
    yield Promise(f"{name}: background refused", refused, 0, 0, unit="/s")
    yield from _failed(f"{name}: ", fair["phases"])
    # None was refused of what was asked for: nothing is said by a client that asked for nothing.
    after = fair["phases"][2]
    again = after["hot_rejected_per_s"] if after["hot_accepted_per_s"] else None
    yield Promise(f"{name}: hot refused, 5 s after", again, 0, 0, unit="/s")
    each = fair["phases"][1]["each_accepted_per_s"]
    if len(each) > 1:
        yield Promise(f"{name}: one over the other", max(each) / min(each) if min(each) else None, _ALIKE, 1.5)


def _failed(title: str, phases: Sequence[Mapping[str, Any]]) -> Iterator[Promise]:
    """Yield what is promised of requests that fail where a limit or shares are in force: none is known."""
    background = sum(phase["background_failed"] for phase in phases)
    yield Promise(f"{title}background failed", background, 0, 0)
    yield Promise(f"{title}hot failed", sum(phase["failed"] for phase in phases) - background, 0, 0)
