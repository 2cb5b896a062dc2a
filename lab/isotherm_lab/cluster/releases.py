# SPDX-License-Identifier: Apache-2.0
"""Which release of Cassandra the nodes are of: the one that the root pom names, unless another is chosen."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from isotherm_lab.errors import LabError

#: The release to be used; processes that the lab starts inherit it.
VARIABLE = "ISOTHERM_LAB_CASSANDRA"
#: Those that the plugin knows, and the lab's own instruments in a node: the lines, and the first release of each.
LINES = {"4.1": 6, "5.0": 0}
#: They in words.
KNOWN = ", ".join(f"{line} from {line}.{first} on" if first else line for line, first in LINES.items())
_RELEASE = re.compile(r"\d+\.\d+(\.\d+)?(-[a-z]+\d*)?")
_JAR = re.compile(r"cassandra-all-(.+)\.jar")


def checked(release: str) -> str:
    """Return the release; LabError when it does not look like one."""
    if not _RELEASE.fullmatch(release):
        raise LabError(f"{release!r} is no release of Cassandra: write one such as 5.0.4 or 6.0-alpha2.")
    return release


def chosen() -> str | None:
    """Return the release that the environment names; None when it names none."""
    release = os.environ.get(VARIABLE)
    return checked(release) if release else None


def choose(release: str) -> None:
    """Have this process, and those that it starts, use this release."""
    os.environ[VARIABLE] = checked(release)


def is_known(release: str) -> bool:
    """Whether the plugin knows the release, or runs on it where it is allowed to, as it is in the lab."""
    return any(_is_of(release, line, first) for line, first in LINES.items())


def line_of(release: str) -> str:
    """Return the line of a release that the plugin knows."""
    return next(line for line, first in LINES.items() if _is_of(release, line, first))


def of(class_path: Iterable[str]) -> str:
    """Return the release whose jar is on a class path."""
    return next(found.group(1) for jar in class_path if (found := _JAR.fullmatch(Path(jar).name)))


def _is_of(release: str, line: str, first: int) -> bool:
    found = re.fullmatch(rf"{re.escape(line)}\.(\d+)(-.+)?", release)
    return found is not None and int(found.group(1)) >= first


def order(release: str) -> tuple[list[int], bool, str]:
    """Return what sorts releases from the earliest to the latest."""
    numbers, _, early = release.partition("-")
    return [int(number) for number in numbers.split(".")] + [0] * (2 - numbers.count(".")), not early, early
