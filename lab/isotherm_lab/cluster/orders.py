# SPDX-License-Identifier: Apache-2.0
"""Orders to several nodes at the same moment."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from isotherm_lab.cluster import control


class Ordered(Protocol):
    """A running node."""

    directory: Path


def order_all(nodes: Sequence[Ordered], command: str, argument: str, timeout_s: float = 60) -> None:
    """Give these nodes an order at the same moment; LabError when one has not done it within `timeout_s` seconds."""
    with ThreadPoolExecutor(max(1, len(nodes))) as pool:
        done = [pool.submit(control.order, node.directory, command, argument, timeout_s) for node in nodes]
        for each in done:
            each.result()
