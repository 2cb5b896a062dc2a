# SPDX-License-Identifier: Apache-2.0
"""Which disk lies under a directory."""

from pathlib import Path

import pytest

from isotherm_lab.cluster import whole_disk
from isotherm_lab.cluster.cgroup_files import CgroupsUnusable


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    """A disk 8:0 with a partition 8:1, linked as the kernel links them."""
    disk = tmp_path / "devices" / "sda"
    (disk / "sda1").mkdir(parents=True)
    (disk / "dev").write_text("8:0\n")
    (disk / "sda1" / "dev").write_text("8:1\n")
    (disk / "sda1" / "partition").write_text("1\n")
    devices = tmp_path / "block"
    devices.mkdir()
    (devices / "8:0").symlink_to(disk)
    (devices / "8:1").symlink_to(disk / "sda1")
    return devices


def test_a_partition_lies_on_its_disk(devices: Path, tmp_path: Path):
    assert whole_disk.whole("8:1", tmp_path, devices) == "8:0"
    assert whole_disk.whole("8:0", tmp_path, devices) == "8:0"


def test_a_directory_in_memory_lies_on_no_disk(devices: Path, tmp_path: Path):
    with pytest.raises(CgroupsUnusable, match=r"lies on no disk of its own \(device \d+:\d+"):
        whole_disk.under(tmp_path, devices)
