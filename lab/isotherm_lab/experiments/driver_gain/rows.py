# SPDX-License-Identifier: Apache-2.0
"""What the turns of a policy are in the summary."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from isotherm_lab.experiments.driver_gain.run import Part, Turn
from isotherm_lab.load.driver_policies import POLICIES, STOCK
from isotherm_lab.measure import samples


def rows(part: Part) -> list[dict[str, Any]]:
    """Return a row for each policy.

    A request counts where it was under way while it was measured, so that one which a fault held up from its first
    moment on is among the slowest, and one that failed is slower than all; requests/s are the answers that came.
    """
    by_policy = {name: [turn for turn in part.turns if turn.policy == name] for name in POLICIES}
    return [
        {"policy": name, "fault": part.condition.name, "consistency": part.level}
        | _row(turns, by_policy[STOCK])
        for name, turns in by_policy.items()
    ]  # fmt: skip


def _row(turns: Sequence[Turn], of_stock: Sequence[Turn]) -> dict[str, Any]:
    seen = np.concatenate([under_way(turn) for turn in turns])
    answers = sum(answers_in(turn) for turn in turns)
    seconds = sum(turn.ended - turn.began for turn in turns)
    pairs = [_ratio(per_s(mine), per_s(other)) for mine, other in zip(turns, of_stock, strict=True)]
    known = [each for each in pairs if each is not None]
    return {
        "requests_per_s": round(answers / seconds, 1),
        **samples.p50_and_p99_ms(seen, 2),
        "errors": int(np.count_nonzero(seen["outcome"] != samples.ANSWERED)),
        "of_stock": round(float(np.median(known)), 3) if known else None,
        "pairs": pairs,
        "messages_per_request": _ratio(sum(turn.messages for turn in turns), answers),
        "node_cpu_us_per_request": _ratio(1e6 * sum(turn.node_processor_s for turn in turns), answers),
        "turns_per_s": [round(per_s(turn), 1) for turn in turns],
    }


def under_way(turn: Turn) -> np.ndarray:
    """Return the requests that were sent before the end of what is measured, and not finished when it began."""
    sent = turn.records["intended_us"]
    finished = sent + turn.records["latency_us"]
    return turn.records[(sent < turn.ended * 1e6) & (finished >= turn.began * 1e6)]


def answers_in(turn: Turn) -> int:
    """Return how many answers came while it was measured."""
    finished = turn.records["intended_us"] + turn.records["latency_us"]
    inside = (finished >= turn.began * 1e6) & (finished < turn.ended * 1e6)
    return int(np.count_nonzero(inside & (turn.records["outcome"] == samples.ANSWERED)))


def per_s(turn: Turn) -> float:
    """Return the answers per second."""
    return answers_in(turn) / (turn.ended - turn.began)


def _ratio(above: float, below: float) -> float | None:
    return round(above / below, 3) if below else None
