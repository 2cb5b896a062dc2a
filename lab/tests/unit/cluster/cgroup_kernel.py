# SPDX-License-Identifier: Apache-2.0
"""Directories laid out like the cgroup file systems: what the kernel makes of a new group, these functions make."""

import shutil
from pathlib import Path

MEMORY_V1 = {
    "memory.limit_in_bytes": "9223372036854771712\n",
    "memory.swappiness": "60\n",
    "memory.usage_in_bytes": "700000\n",
    "memory.stat": "cache 504096\nrss 150000\nmapped_file 4096\n",
}
BLKIO_V1 = {"blkio.throttle.read_iops_device": "", "blkio.throttle.io_serviced": "Total 0\n"}
V2 = {
    "cgroup.type": "domain\n",
    "cgroup.controllers": "cpu io memory pids\n",
    "cgroup.subtree_control": "\n",
    "memory.max": "max\n",
    "memory.high": "max\n",
    "memory.swap.max": "max\n",
    "memory.current": "700000\n",
    "memory.stat": "anon 150000\nfile 504096\nkernel 50000\nfile_mapped 4096\n",
    "io.max": "",
    "io.stat": "",
}


def lay_out(directory: Path, files: dict[str, str]) -> Path:
    """Make a group with these files and no process."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in {"cgroup.procs": "", **files}.items():
        (directory / name).write_text(content)
    return directory


class Kernel:
    """Fills each new group with the files of its kind, and removes a group only when it has no group in it."""

    def __init__(self) -> None:
        self.busy: set[Path] = set()

    def mkdir(self, directory: Path) -> None:
        """Do what mkdir() does in a cgroup file system."""
        directory.mkdir()
        parent = directory.parent
        if (parent / "memory.swappiness").exists() or parent.name == "memory":
            lay_out(directory, MEMORY_V1)
        elif parent.name == "blkio":
            lay_out(directory, BLKIO_V1)
        else:
            lay_out(directory, V2)

    def rmdir(self, directory: Path) -> None:
        """Do what rmdir() does in a cgroup file system."""
        if directory in self.busy:
            raise OSError(16, "Device or resource busy", str(directory))
        if not directory.is_dir():
            raise FileNotFoundError(2, "No such file or directory", str(directory))
        assert not [each for each in directory.iterdir() if each.is_dir()]
        shutil.rmtree(directory)
