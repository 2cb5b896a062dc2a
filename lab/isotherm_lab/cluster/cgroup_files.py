# SPDX-License-Identifier: Apache-2.0
"""The directories of a cgroup file system: made, written, and removed with the names that only the lab gives."""

import errno
import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from os import mkdir, rmdir
from pathlib import Path

import psutil

from isotherm_lab.errors import LabError

#: How the lab names its groups: the number is the process that made them.
_PREFIX = "isotherm-lab-"
_NAME = re.compile(rf"{_PREFIX}(\d+)-.+")
#: A process that was killed leaves its group a moment after it was waited for, and dirty pages are written first.
_PATIENCE_SECONDS = 5.0


class CgroupsUnusable(LabError):
    """What is missing for cgroups to bound a node, in a sentence."""


def own_name(name: str) -> str:
    """Return the directory's name of a group of this process."""
    return f"{_PREFIX}{os.getpid()}-{name}"


def make(directory: Path) -> None:
    """Make a group; the kernel fills it with its files."""
    mkdir(directory)


def put(file: Path, value: str) -> None:
    """Write one value to a file of a group: the kernel takes each write as a whole."""
    with open(file, "w", encoding="ascii") as opened:
        opened.write(value)


def patiently(action: Callable[[], None]) -> None:
    """Do what the kernel refuses for as long as the group is busy."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return action()
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def remove(directory: Path) -> None:
    """Remove a group, if it is there, as soon as its processes have left it; LabError when they do not."""
    try:
        patiently(lambda: rmdir(directory))
    except FileNotFoundError:
        return
    except OSError as error:
        raise LabError(f"The cgroup {directory} cannot be removed: {error.strerror}.") from error


def sweep(parent: Path) -> None:
    """Remove the empty groups that lab processes left which were killed."""
    for directory in parent.glob(f"{_PREFIX}*"):
        named = _NAME.fullmatch(directory.name)
        if named and not psutil.pid_exists(int(named.group(1))):
            # One that still has processes belongs to nodes that outlived their lab: `isotherm-lab down` ends them.
            with suppress(OSError):
                rmdir(directory)


def numbers(file: Path) -> Mapping[str, int]:
    """Return a file of lines `name value`, such as memory.stat."""
    return {name: int(value) for name, value in (line.split() for line in file.read_text().splitlines())}
