# SPDX-License-Identifier: Apache-2.0
"""Where the cgroup file systems are mounted, and where in them this process is."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from isotherm_lab.cluster.mountinfo import mounts


@dataclass(frozen=True)
class CgroupMounts:
    """The mount point of each controller of version 1, by its name, and version 2's with this process's own group."""

    v1: Mapping[str, Path]
    v2: Path | None
    own_v2: Path | None

    @classmethod
    def read(cls, process: Path = Path("/proc/self")) -> "CgroupMounts":
        """Read mountinfo and cgroup of a process (the lines of the latter: cgroups(7))."""
        v1: dict[str, Path] = {}
        v2 = root = None
        for mount in mounts(process):
            if mount.kind == "cgroup":
                v1 |= dict.fromkeys(mount.options, mount.point)
            elif mount.kind == "cgroup2":
                v2, root = mount.point, mount.root
        return cls(v1, v2, _own(process, v2, root) if v2 and root else None)


def _own(process: Path, mount: Path, root: str) -> Path:
    try:
        lines = (process / "cgroup").read_text().splitlines()
    except FileNotFoundError:
        return mount
    for line in lines:
        if line.startswith("0::"):
            # A container's mount may begin further down than the path does.
            return mount / line.removeprefix("0::").removeprefix(root).lstrip("/")
    return mount
