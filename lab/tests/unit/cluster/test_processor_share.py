# SPDX-License-Identifier: Apache-2.0
"""Where control groups are, and that a process in one gets no more than its share."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from isotherm_lab.cluster.processor_share import Hierarchy, obstacle, processor_share

FIRST = "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n"


def second(folder: Path, controllers: str = "cpu memory") -> Hierarchy | None:
    (folder / "cgroup.controllers").write_text(controllers)
    return Hierarchy.find(f"cgroup2 {folder} cgroup2 rw,relatime 0 0\n")


def test_the_first_version_is_where_its_mount_says():
    assert Hierarchy.find(FIRST) == Hierarchy(Path("/sys/fs/cgroup/cpu,cpuacct"), 1)
    assert Hierarchy.find("cgroup /c cgroup rw,cpuset 0 0\ncgroup /d cgroup rw,cpuacct 0 0\n") is None


def test_the_second_version_counts_when_it_controls_processor_time(tmp_path: Path):
    assert second(tmp_path) == Hierarchy(tmp_path, 2)
    assert second(tmp_path, "memory cpuset") is None


def test_a_process_is_in_the_group_of_its_hierarchy(tmp_path: Path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    memberships = "4:memory:/x\n1:cpu,cpuacct:/a/b\n0::/a\n"
    assert Hierarchy(tmp_path, 1).group_of(memberships) == tmp_path / "a" / "b"
    assert Hierarchy(tmp_path, 2).group_of(memberships) == tmp_path / "a"
    # A path of the host, which is not to be seen in here.
    assert Hierarchy(tmp_path, 2).group_of("0::/docker/1234\n") == tmp_path


def test_a_group_of_the_second_version_goes_where_children_may_be_controlled(tmp_path: Path):
    own = tmp_path / "user" / "shell"
    own.mkdir(parents=True)
    # Writing to a folder fails, as writing to the control of a group with processes does.
    (own / "cgroup.subtree_control").mkdir()
    assert Hierarchy(tmp_path, 2).create(own, "x") == tmp_path / "user" / "x"
    assert (tmp_path / "user" / "cgroup.subtree_control").read_text() == "+cpu"
    (tmp_path / "user" / "cgroup.subtree_control").unlink()
    (tmp_path / "user" / "cgroup.subtree_control").mkdir()
    (tmp_path / "cgroup.subtree_control").mkdir()
    with pytest.raises(OSError):
        Hierarchy(tmp_path, 2).create(own, "y")


def test_a_share_is_a_part_of_each_period(tmp_path: Path):
    Hierarchy(tmp_path, 1).limit(tmp_path, 0.1)
    assert (tmp_path / "cpu.cfs_quota_us").read_text() == "10000"
    Hierarchy(tmp_path, 2).limit(tmp_path, 0.25)
    assert (tmp_path / "cpu.max").read_text() == "25000 100000"


@pytest.fixture
def busy() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as child:
        yield child.pid
        child.kill()


def used(pid: int, seconds: float) -> float:
    process = psutil.Process(pid)
    before, begun = sum(process.cpu_times()[:2]), time.monotonic()
    time.sleep(seconds)
    return (sum(process.cpu_times()[:2]) - before) / (time.monotonic() - begun)


def group(pid: int) -> str:
    return Path(f"/proc/{pid}/cgroup").read_text()


@pytest.mark.skipif(obstacle() is not None, reason=str(obstacle()))
def test_a_process_has_its_share_and_its_former_group_back(busy: int):
    before = group(busy)
    # What a kernel lets it have beyond its share, and what it gets without, is also the machine's affair.
    free = used(busy, 1)
    with pytest.raises(KeyboardInterrupt), processor_share(busy, 0.1, "isotherm-lab-test"):
        assert group(busy) != before
        assert used(busy, 2) < free / 2
        raise KeyboardInterrupt
    assert group(busy) == before
    assert not list(Path("/sys/fs/cgroup").rglob("isotherm-lab-test"))


@pytest.mark.skipif(obstacle() is not None, reason=str(obstacle()))
def test_the_group_goes_with_a_process_that_is_killed(busy: int):
    with processor_share(busy, 0.5, "isotherm-lab-test"):
        psutil.Process(busy).kill()
    assert not list(Path("/sys/fs/cgroup").rglob("isotherm-lab-test"))
