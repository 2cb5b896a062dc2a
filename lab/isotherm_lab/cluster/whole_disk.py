# SPDX-License-Identifier: Apache-2.0
"""The disk under a directory, as the kernel numbers it."""

import os
from pathlib import Path

from isotherm_lab.cluster.cgroup_files import CgroupsUnusable


def under(directory: Path, devices: Path = Path("/sys/dev/block")) -> str:
    """Return `major:minor` of the disk that holds a directory: of the whole disk, as partitions have no bounds."""
    number = directory.stat().st_dev
    return whole(f"{os.major(number)}:{os.minor(number)}", directory, devices)


def whole(device: str, directory: Path, devices: Path) -> str:
    """Return the disk of which a device is a partition, else the device; CgroupsUnusable when it is no disk."""
    known = devices / device
    if not known.exists():
        raise CgroupsUnusable(
            f"{directory} lies on no disk of its own (device {device}: memory, an overlay, a network or several disks)."
        )
    if not (known / "partition").exists():
        return device
    return (known.resolve().parent / "dev").read_text().strip()
