# SPDX-License-Identifier: Apache-2.0
"""Where the cgroup file systems are mounted, and where in them this process is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_OCTAL = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True)
class CgroupMounts:
    """The mount point of each controller of version 1, by its name, and version 2's with this process's own group."""

    v1: Mapping[str, Path]
    v2: Path | None
    own_v2: Path | None

    @classmethod
    def read(cls, process: Path = Path("/proc/self")) -> "CgroupMounts":
        """Read mountinfo and cgroup of a process (their lines: proc_pid_mountinfo(5), cgroups(7))."""
        v1: dict[str, Path] = {}
        v2 = root = None
        for line in _lines(process / "mountinfo"):
            before, _, after = line.partition(" - ")
            kind, _, options = after.split(" ", 2)
            mount = Path(_OCTAL.sub(lambda found: chr(int(found.group(1), 8)), before.split(" ")[4]))
            if kind == "cgroup":
                v1 |= dict.fromkeys(options.split(","), mount)
            elif kind == "cgroup2":
                v2, root = mount, before.split(" ")[3]
        return cls(v1, v2, _own(process, v2, root) if v2 and root else None)


def _own(process: Path, mount: Path, root: str) -> Path:
    for line in _lines(process / "cgroup"):
        if line.startswith("0::"):
            # A container's mount may begin further down than the path does.
            return mount / line.removeprefix("0::").removeprefix(root).lstrip("/")
    return mount


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except FileNotFoundError:
        return []
