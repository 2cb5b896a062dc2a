# SPDX-License-Identifier: Apache-2.0
"""The account of counter updates: what clients were told beside what the counters say."""

from collections import Counter
from collections.abc import Mapping, Sequence

from isotherm_lab.experiments.slow_leader.turn import Turn
from isotherm_lab.load import update_outcomes
from isotherm_lab.load.update_outcomes import ACKNOWLEDGED


def account(turns: Sequence[Turn], counted: int) -> dict[str, int]:
    """Return how many updates were acknowledged, timed out, failed otherwise, and by how much the counters grew."""
    outcomes: Counter[str] = Counter()
    for turn in turns:
        outcomes.update(turn.outcomes)
    return tally(outcomes, counted)


def tally(outcomes: Counter[str], counted: int) -> dict[str, int]:
    """Return an account of these outcomes."""
    return {
        "acknowledged": outcomes[ACKNOWLEDGED],
        "timed_out": update_outcomes.timed_out(outcomes),
        "failed": update_outcomes.failed(outcomes),
        "counted": counted,
    }


def exact(account: Mapping[str, int]) -> bool:
    """Whether nothing acknowledged was lost, and nothing counted that no client may have caused."""
    at_most = account["acknowledged"] + account["timed_out"] + account["failed"]
    return account["acknowledged"] <= account["counted"] <= at_most
