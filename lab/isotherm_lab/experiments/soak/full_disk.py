# SPDX-License-Identifier: Apache-2.0
"""A node whose disk is full: its data are on a small one in memory (tmpfs) meanwhile, which root can mount."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.errors import LabError
from isotherm_lab.experiments.soak.membership import start

_SPARE_MIB = 96
_MIB = 2**20


def obstacle() -> str | None:
    """Return why it cannot be had here, in a sentence; None when it can."""
    if os.geteuid() != 0:
        return "A small disk is mounted by root only."
    if not shutil.which("mount"):
        return "There is no command `mount`."
    return None


@contextmanager
def full_disk(cluster: Cluster, place: int) -> Iterator[None]:
    """Fill a node's disk to the last byte; after the block it has its usual disk again, and is started anew."""
    node = cluster.nodes[place]
    data, usual = node.directory / "data", node.directory / "usual-data"
    node.stop()
    data.rename(usual)
    data.mkdir()
    with _small_disk(data, _mib_of(usual) + _SPARE_MIB):
        shutil.copytree(usual, data, dirs_exist_ok=True)
        start(cluster, place)
        filler = data / "filler"
        _fill(filler)
        yield
        filler.unlink()
        # Cassandra stops serving when its disk fails, and goes on when an operator starts it again.
        node.kill()
        shutil.rmtree(usual)
        shutil.copytree(data, usual)
    data.rmdir()
    usual.rename(data)
    start(cluster, place)


@contextmanager
def _small_disk(directory: Path, mib: int) -> Iterator[None]:
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "isotherm-lab", str(directory)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise LabError(f"A disk of {mib} MiB could not be mounted on {directory}: {done.stderr.strip()}")
    try:
        yield
    finally:
        # Lazily: whoever still writes to it is about to be ended with the cluster.
        subprocess.run(["umount", "--lazy", str(directory)], check=True)


def _fill(file: Path) -> None:
    """Write until nothing fits any more; other files shrink or grow meanwhile, so that it takes a second look."""
    for block in (_MIB, 4096):
        with open(file, "ab", buffering=0) as filler, suppress(OSError):
            while filler.write(bytes(block)) == block:
                pass


def _mib_of(directory: Path) -> int:
    return sum(each.stat().st_size for each in directory.rglob("*") if each.is_file()) // _MIB + 1
