# SPDX-License-Identifier: Apache-2.0
"""Gives orders to a running lab node through its control directory."""

import itertools
import threading
import time
from pathlib import Path
from typing import Protocol

from isotherm_lab import atomic_file
from isotherm_lab.errors import LabError

_numbers = itertools.count(1)


class Ordered(Protocol):
    """A node of the lab."""

    directory: Path

    def is_running(self) -> bool:
        """Whether its process runs."""
        ...


def order(
    node: Ordered, command: str, argument: str = "", timeout_s: float = 60, given_up: threading.Event | None = None
) -> None:
    """Have the node carry out a command of its NodeCommands; return when it is done.

    LabError when it fails, ends meanwhile or takes too long, or once nobody waits for it any more (`given_up` is set).
    """
    name = f"{command}-{time.time_ns():020d}-{next(_numbers):06d}"
    channel = node.directory / "control"
    atomic_file.write(channel / name, argument)
    deadline = time.monotonic() + timeout_s
    done, failed = channel / (name + ".done"), channel / (name + ".error")
    while True:
        runs = node.is_running()
        if done.exists():
            done.unlink()
            return
        if failed.exists():
            why = failed.read_text(encoding="utf-8")
            raise LabError(f"The node in {node.directory} could not do {command!r}: {why}")
        if not runs or time.monotonic() > deadline or (given_up is not None and given_up.is_set()):
            break
        time.sleep(0.02)
    (channel / name).unlink(missing_ok=True)
    if not runs:
        raise LabError(f"The node in {node.directory} does not run, so it did not do {command!r}; see its logs.")
    raise LabError(f"The node in {node.directory} did not do {command!r} within {timeout_s:.0f} s; see its logs.")
