# SPDX-License-Identifier: Apache-2.0
"""Processes that do not run for a while, as if they were too busy for anything: silent, and not dead."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from isotherm_lab.beside import beside
from isotherm_lab.cluster.node import Node
from isotherm_lab.errors import LabError


@contextmanager
def suspended(node: Node) -> Iterator[None]:
    """Stop a node's process (SIGSTOP), and let it go on (SIGCONT) whatever ends the block."""
    process = node.identity.process() if node.identity else None
    if process is None:
        raise LabError(f"Node {node.address} does not run, so it cannot be stopped for a while.")
    try:
        process.suspend()
        yield
    finally:
        # One that is gone needs no SIGCONT.
        with suppress(psutil.NoSuchProcess):
            process.resume()


@contextmanager
def pausing(node: Node, pause_s: float, every_s: float) -> Iterator[None]:
    """Stop a node's process for `pause_s` every `every_s`, as long collections of garbage would."""

    def pause(over: threading.Event) -> None:
        # Who watches the nodes notices one that is gone.
        with suppress(psutil.NoSuchProcess, LabError):
            while not over.is_set():
                # Not when it was due: a lab that was held up itself owes no pauses, which would come without a gap.
                begun = time.monotonic()
                with suspended(node):
                    over.wait(pause_s)
                over.wait(begun + every_s - time.monotonic())

    with beside(pause, "pausing"):
        yield
