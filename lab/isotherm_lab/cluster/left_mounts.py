# SPDX-License-Identifier: Apache-2.0
"""File systems that a killed lab left mounted in the directories of its nodes, which cannot be deleted with them."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from isotherm_lab.cluster.mountinfo import mounts
from isotherm_lab.errors import LabError


def unmount(directories: Iterable[Path]) -> None:
    """Unmount whatever is mounted below these directories, and nothing else; LabError names what stays mounted.

    No node works there any more.
    """
    # The kernel has no names that lead over links.
    for directory in [each.resolve() for each in directories]:
        # What was mounted last may lie on what was mounted before.
        for point in reversed(_below(directory)):
            done = subprocess.run(["umount", str(point)], capture_output=True, text=True, check=False)
            # A disk of the lab's own goes by itself when its lab has ended, and may have done so meanwhile.
            if done.returncode and point in _below(directory):
                raise LabError(
                    f"{point} is still mounted from an earlier run, and cannot be unmounted:"
                    f" {done.stderr.strip()} End what uses it, then: umount {point}"
                )


def _below(directory: Path) -> list[Path]:
    return [mount.point for mount in mounts() if directory in mount.point.parents]
