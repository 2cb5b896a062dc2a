# SPDX-License-Identifier: Apache-2.0
"""The passes through a cluster, node after node, under load: what failed in each, beside a plain rolling restart."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.measure.failure_excess import excess
from isotherm_lab.measure.histories import Operation

#: What each kind of client did, by its name.
Histories = Mapping[str, Sequence[Operation]]


@dataclass(frozen=True)
class Pass:
    """One pass; the instants are of the clock of the operations, and nodes were away between those of `away`."""

    name: str
    began: float
    ended: float
    away: tuple[tuple[float, float], ...]

    def of(self, history: Sequence[Operation]) -> list[Operation]:
        """Return the operations that began in it."""
        return [operation for operation in history if self.began <= operation.began < self.ended]

    def account(self, history: Sequence[Operation]) -> dict[str, Any]:
        """Return how many operations it had and what failed; `unexplained` are failures while no node was away."""
        own = self.of(history)
        failed = [operation for operation in own if not operation.succeeded]
        apart = [
            each for each in failed if not any(each.ended >= gone and each.began <= back for gone, back in self.away)
        ]
        errors = Counter(operation.error.partition(":")[0] for operation in failed)
        return {"operations": len(own), "failed": len(failed), "unexplained": len(apart), "errors": dict(errors)}


def accounts(passes: Sequence[Pass], histories: Histories) -> list[dict[str, Any]]:
    """Return the account of every client in every pass."""
    return [
        {"pass": each.name, "client": client, **each.account(history)}
        for each in passes
        for client, history in histories.items()
    ]


def excesses(found: Sequence[Mapping[str, Any]], plain: str) -> list[str]:
    """Return a sentence for each client of each pass to which more happened than in the pass of this name."""
    measures = {own["client"]: own for own in found if own["pass"] == plain}
    sentences = []
    for own in found:
        client, measure = f"{own['client']} in {own['pass']}", measures[own["client"]]
        if own["unexplained"]:
            sentences.append(f"{client}: {own['unexplained']} failed while no node was away ({own['errors']})")
        if excess(own["failed"], own["operations"], measure["failed"]):
            sentences.append(f"{client}: {own['failed']} of {own['operations']} failed ({own['errors']}), where"
                             f" {measure['failed']} of {measure['operations']} did in {plain}")  # fmt: skip
    return sentences


def table(found: Sequence[Mapping[str, Any]]) -> Table:
    """Return the accounts for a person."""
    shown = result_table(
        "Failed requests while nodes restart, one after the other", left=["pass", "client"],
        right=["operations", "failed", "errors"], padding=1,
    )  # fmt: skip
    for own in found:
        errors = ", ".join(f"{count} {error}" for error, count in own["errors"].items())
        shown.add_row(own["pass"], own["client"], str(own["operations"]), str(own["failed"]), errors)
    return shown
