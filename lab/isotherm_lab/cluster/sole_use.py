# SPDX-License-Identifier: Apache-2.0
"""One process at a time has the cluster of a name, from before its directory is emptied until its nodes are ended."""

import fcntl
from pathlib import Path

from isotherm_lab.errors import LabError


class SoleUse:
    """A lock on a file beside the cluster's directory, as the directory is deleted; a process that ends gives it up.

    Nodes do not inherit the file. They may outlive the process, and are known by what was saved of them then.
    """

    def __init__(self, directory: Path):
        """Take the lock; LabError when another process, or another cluster of this one, has it."""
        directory.parent.mkdir(parents=True, exist_ok=True)
        # No cluster has a name that begins with a dot.
        self._file = open(directory.parent / f".{directory.name}.lock", "wb")  # noqa: SIM115 - closed by release()
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise LabError(
                f"Another command of the lab uses the cluster {directory.name!r}: wait until it has ended, or end it"
                " with Ctrl-C, and try again."
            ) from None

    def release(self) -> None:
        """Let others have it. The file stays: one that is deleted is another one to whoever has opened it before."""
        self._file.close()

    def __enter__(self) -> "SoleUse":
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        # What was made in the block has it from then on.
        if failure is not None:
            self.release()
