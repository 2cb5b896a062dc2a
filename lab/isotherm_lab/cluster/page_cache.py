# SPDX-License-Identifier: Apache-2.0
"""What the operating system's page cache holds of files, emptied."""

import os
from pathlib import Path


def empty(directory: Path) -> None:
    """Evict every file below the directory from the page cache; no process may have them mapped."""
    for file in directory.rglob("*"):
        if file.is_file():
            _evict(file)


def _evict(file: Path) -> None:
    opened = os.open(file, os.O_RDONLY)
    try:
        # Only pages that are on the disk can go.
        os.fsync(opened)
        os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(opened)
