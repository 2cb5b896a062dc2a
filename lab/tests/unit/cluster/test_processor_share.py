# SPDX-License-Identifier: Apache-2.0
"""Where control groups are, and that a process in one gets no more than its share."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from isotherm_lab.cluster import cgroup_files
from isotherm_lab.cluster.cgroup_mounts import CgroupMounts
from isotherm_lab.cluster.processor_share import Hierarchy, obstacle, processor_share


def second(folder: Path, controllers: str = "cpu memory") -> Hierarchy | None:
    (folder / "cgroup.controllers").write_text(controllers)
    return Hierarchy.find(CgroupMounts({}, folder, folder))


def test_the_first_version_is_where_its_mount_says(tmp_path: Path):
    first = {"cpu": Path("/sys/fs/cgroup/cpu,cpuacct"), "cpuacct": Path("/sys/fs/cgroup/cpu,cpuacct")}
    assert Hierarchy.find(CgroupMounts(first, tmp_path, tmp_path)) == Hierarchy(first["cpu"], 1)
    assert Hierarchy.find(CgroupMounts({"cpuset": Path("/c"), "cpuacct": Path("/d")}, None, None)) is None


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


def test_what_a_killed_lab_left_goes_when_a_group_is_made(tmp_path: Path):
    ended = next(pid for pid in range(2**22, 0, -1) if not psutil.pid_exists(pid))
    left, alive = tmp_path / f"isotherm-lab-{ended}-processor-x", tmp_path / f"isotherm-lab-{os.getppid()}-processor-x"
    left.mkdir()
    alive.mkdir()
    made = Hierarchy(tmp_path, 1).create(tmp_path, cgroup_files.own_name("processor-x"))
    assert set(tmp_path.iterdir()) == {alive, made}


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


def own_group() -> list[Path]:
    """Return the group that tests make, if there is one; the sweep of killed labs' knows its name."""
    return list(Hierarchy.find(CgroupMounts.read()).mount.rglob(cgroup_files.own_name("processor-test")))


def counted(name: str) -> int:
    """Return what the kernel counts of the group: periods, and in how many it held back whom."""
    return cgroup_files.numbers(own_group()[0] / "cpu.stat")[name]


def grows(name: str, beyond: int) -> bool:
    deadline = time.monotonic() + 60
    while counted(name) <= beyond and time.monotonic() < deadline:
        time.sleep(0.05)
    return counted(name) > beyond


def held_back_in_no(periods: int) -> bool:
    """Whether the kernel held the group back in none of so many periods on end, within a minute.

    A machine that was itself held up may count a period in which it held back a group that stays within its share. One
    that wants more than its share is held back in every period that it runs in.
    """
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        before = counted("nr_throttled")
        if grows("nr_periods", counted("nr_periods") + periods) and counted("nr_throttled") == before:
            return True
    return False


def group(pid: int) -> str:
    return Path(f"/proc/{pid}/cgroup").read_text()


@pytest.mark.skipif(obstacle() is not None, reason=str(obstacle()))
def test_a_process_has_its_share_and_its_former_group_back(busy: int):
    before = group(busy)
    with processor_share(busy, 2.0, "test"):
        # One thread never needs two processors, and is never held back.
        assert held_back_in_no(periods=5)
    # The least there is: also a machine that leaves a process little leaves it more at a time.
    with pytest.raises(KeyboardInterrupt), processor_share(busy, 0.01, "test"):
        assert group(busy) != before
        assert grows("nr_throttled", 0)
        raise KeyboardInterrupt
    assert group(busy) == before
    assert not own_group()


@pytest.mark.skipif(obstacle() is not None, reason=str(obstacle()))
def test_the_group_goes_with_a_process_that_is_killed(busy: int):
    with processor_share(busy, 0.5, "test"):
        psutil.Process(busy).kill()
    assert not own_group()
