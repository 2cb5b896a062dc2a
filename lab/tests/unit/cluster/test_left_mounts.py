# SPDX-License-Identifier: Apache-2.0
"""What a killed lab left mounted goes, and nothing beside it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from isotherm_lab.cluster import left_mounts, mountinfo
from isotherm_lab.cluster.mountinfo import Mount
from isotherm_lab.errors import LabError


def mounted() -> list[Path]:
    return [mount.point for mount in mountinfo.mounts()]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[list[Path]]:
    """File systems in memory: on a node's data and on what is in them, and beside the node."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("only root can mount")
    points = [tmp_path / "node 1" / "data", tmp_path / "node 1" / "data" / "inner", tmp_path / "node 10"]
    for point in points:
        point.mkdir(parents=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "isotherm-lab", str(point)], capture_output=True, check=False)
        if done.returncode:
            pytest.skip(done.stderr.decode())
    yield points
    for point in reversed(points):
        if point in mounted():
            subprocess.run(["umount", "--lazy", str(point)], check=True)


def test_what_is_mounted_below_a_node_goes_and_nothing_else(memory: list[Path], tmp_path: Path):
    assert set(memory) <= set(mounted())
    left_mounts.unmount([tmp_path / "node 1"])
    assert set(memory) & set(mounted()) == {memory[2]}
    shutil.rmtree(tmp_path / "node 1")


def test_a_node_s_directory_that_is_itself_a_disk_stays_mounted(memory: list[Path]):
    left_mounts.unmount([memory[2]])
    assert memory[2] in mounted()


def test_what_is_in_use_is_named_with_the_command(memory: list[Path], tmp_path: Path):
    with (memory[1] / "file").open("w"), pytest.raises(LabError, match=rf"{memory[1]} is still .*: umount {memory[1]}"):
        left_mounts.unmount([tmp_path / "node 1"])
    assert set(memory) <= set(mounted())


def test_what_is_unmounted_meanwhile_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen = iter([[Mount("/", tmp_path.resolve() / "data", "tmpfs", ("rw",))], []])
    monkeypatch.setattr(left_mounts, "mounts", lambda: next(seen))
    left_mounts.unmount([tmp_path])


def test_a_mount_is_read_with_its_spaces(tmp_path: Path):
    (tmp_path / "mountinfo").write_text("38 31 0:35 /a\\040b /c\\040d rw,noatime shared:9 - tmpfs none rw,size=8k\n")
    assert list(mountinfo.mounts(tmp_path)) == [Mount("/a b", Path("/c d"), "tmpfs", ("rw", "size=8k"))]
    assert list(mountinfo.mounts(tmp_path / "none")) == []
