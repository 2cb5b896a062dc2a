# SPDX-License-Identifier: Apache-2.0
"""Gives orders to a running lab node through its control directory."""

import itertools
import time
from pathlib import Path

from isotherm_lab import atomic_file
from isotherm_lab.errors import LabError

_numbers = itertools.count(1)


def order(directory: Path, command: str, argument: str = "", timeout_s: float = 60) -> None:
    """Have the node in `directory` carry out a command of its NodeCommands; return when it is done."""
    name = f"{command}-{time.time_ns():020d}-{next(_numbers):06d}"
    channel = directory / "control"
    atomic_file.write(channel / name, argument)
    deadline = time.monotonic() + timeout_s
    done, failed = channel / (name + ".done"), channel / (name + ".error")
    while time.monotonic() < deadline:
        if done.exists():
            done.unlink()
            return
        if failed.exists():
            raise LabError(f"The node in {directory} could not do {command!r}: {failed.read_text(encoding='utf-8')}")
        time.sleep(0.02)
    (channel / name).unlink(missing_ok=True)
    raise LabError(f"The node in {directory} did not do {command!r} within {timeout_s:.0f} s; is it running?")
