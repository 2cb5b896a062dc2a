# SPDX-License-Identifier: Apache-2.0
"""Orders to several nodes at the same moment."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from isotherm_lab.cluster import control


def order_all(nodes: Sequence[control.Ordered], command: str, argument: str, timeout_s: float = 60) -> None:
    """Give these nodes an order at the same moment; LabError when one has not done it within `timeout_s` seconds."""
    given_up = threading.Event()
    with ThreadPoolExecutor(max(1, len(nodes))) as pool:
        done = [pool.submit(control.order, node, command, argument, timeout_s, given_up) for node in nodes]
        try:
            for each in as_completed(done):
                each.result()
        finally:
            # One has failed, or Ctrl-C: the threads of the others need not wait for theirs.
            given_up.set()
