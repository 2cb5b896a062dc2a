# SPDX-License-Identifier: Apache-2.0
"""What is mounted, as the kernel tells a process (proc_pid_mountinfo(5)): every reader of mounts reads it here."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_OCTAL = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True)
class Mount:
    """One mount: what part of its file system is where, and the file system's own options."""

    root: str
    point: Path
    kind: str
    options: tuple[str, ...]


def mounts(process: Path = Path("/proc/self")) -> Iterator[Mount]:
    """Yield the mounts that a process sees, the upper ones after those beneath; none where the kernel tells nothing."""
    try:
        lines = (process / "mountinfo").read_text(errors="surrogateescape").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        _, _, _, root, point, *_ = before.split(" ")
        yield Mount(_plain(root), Path(_plain(point)), kind, tuple(options.split(",")))


def _plain(written: str) -> str:
    """Return a path as it is: a space is written as its number."""
    return _OCTAL.sub(lambda found: chr(int(found.group(1), 8)), written)
