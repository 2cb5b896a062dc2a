# SPDX-License-Identifier: Apache-2.0
"""Faults that cannot be had on this machine: an experiment leaves them out, and says so."""

from collections.abc import Callable, Mapping

from rich.console import Console


def left_out(obstacles: Mapping[str, Callable[[], str | None]], console: Console) -> dict[str, str]:
    """Return why faults cannot be had here, by their names, and say it; those that can are not in it."""
    asked = {name: obstacle() for name, obstacle in obstacles.items()}
    reasons = {name: reason for name, reason in asked.items() if reason is not None}
    for name, reason in reasons.items():
        console.print(f"{name} is left out. {reason}", soft_wrap=True, highlight=False)
    return reasons
