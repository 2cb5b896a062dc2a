# SPDX-License-Identifier: Apache-2.0
"""Groups of both versions, on directories laid out like their file systems."""

import os
from pathlib import Path

import psutil
import pytest
from cgroup_kernel import BLKIO_V1, MEMORY_V1, V2, Kernel, lay_out

from isotherm_lab.cluster import cgroup_files, cgroups
from isotherm_lab.cluster.cgroup_files import CgroupsUnusable
from isotherm_lab.cluster.cgroup_mounts import CgroupMounts
from isotherm_lab.cluster.cgroup_v1 import GroupsV1
from isotherm_lab.cluster.cgroup_v2 import GroupsV2
from isotherm_lab.errors import LabError

OWN = f"isotherm-lab-{os.getpid()}-"


@pytest.fixture(autouse=True)
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr(cgroup_files, "mkdir", kernel.mkdir)
    monkeypatch.setattr(cgroup_files, "rmdir", kernel.rmdir)
    monkeypatch.setattr(cgroup_files, "_PATIENCE_SECONDS", 0.1)
    return kernel


@pytest.fixture
def v1(tmp_path: Path) -> GroupsV1:
    return GroupsV1(lay_out(tmp_path / "memory", MEMORY_V1), lay_out(tmp_path / "blkio", BLKIO_V1))


def root_v2(folder: Path, **files: str) -> Path:
    """Return the root of a machine: alone it has no type."""
    root = lay_out(folder / "unified", {**V2, **files})
    (root / "cgroup.type").unlink()
    return root


def groups_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("isotherm-lab-*"))


def test_version_1_bounds_each_thing_in_a_group_of_its_own(v1: GroupsV1, tmp_path: Path):
    v1.prepare()
    group = v1.group("127.0.0.1", "254:0")
    group.make()
    memory, blkio = tmp_path / "memory" / f"{OWN}127.0.0.1", tmp_path / "blkio" / f"{OWN}127.0.0.1"
    assert group.processes == [memory / "cgroup.procs", blkio / "cgroup.procs"]
    assert group.disk_reads == blkio / "blkio.throttle.io_serviced"
    assert (group.page_cache(), group.other_memory()) == (500_000, 200_000)
    group.bound_memory(2**28)
    group.bound_reads(400)
    assert (memory / "memory.limit_in_bytes").read_text() == "268435456"
    assert (memory / "memory.swappiness").read_text() == "0"
    assert (blkio / "blkio.throttle.read_iops_device").read_text() == "254:0 400"
    group.remove()
    v1.close()
    assert groups_in(tmp_path) == []


def test_version_2_below_the_root_needs_nothing_but_its_controllers(tmp_path: Path):
    root = root_v2(tmp_path)
    (root / "cgroup.procs").write_text("1\n2\n")
    groups = GroupsV2(root, root / "user.slice")
    groups.prepare()
    assert (root / "cgroup.subtree_control").read_text() == "+io"  # the last of two writes; the kernel adds them up
    assert (root / "cgroup.procs").read_text() == "1\n2\n"
    group = groups.group("127.0.0.1", "8:0")
    group.make()
    own = root / f"{OWN}127.0.0.1"
    assert group.processes == [own / "cgroup.procs"]
    assert group.disk_reads == own / "io.stat"
    assert (group.page_cache(), group.other_memory()) == (500_000, 200_000)
    group.bound_memory(2**28)
    group.bound_reads(400)
    assert (own / "io.max").read_text() == "8:0 riops=400"
    assert [(own / f"memory.{name}").read_text() for name in ("max", "high", "swap.max")] == ["268435456", "max", "0"]
    group.remove()
    groups.close()
    assert groups_in(tmp_path) == []


def test_version_2_delegated_moves_its_processes_aside_and_back(tmp_path: Path):
    mount = lay_out(tmp_path / "unified", V2)
    own = lay_out(mount / "app.scope", V2)
    (own / "cgroup.procs").write_text("4242\n")
    groups = GroupsV2(mount, own)
    groups.prepare()
    aside = own / f"{OWN}itself"
    assert (aside / "cgroup.procs").read_text() == "4242"
    group = groups.group("127.0.0.1", "8:0")
    group.make()
    assert groups_in(tmp_path) == [own / f"{OWN}127.0.0.1", aside]
    group.remove()
    (own / "cgroup.procs").write_text("")
    groups.close()
    assert (own / "cgroup.procs").read_text() == "4242"
    assert (own / "cgroup.subtree_control").read_text() == "-io"
    assert groups_in(tmp_path) == []


def test_controllers_that_are_on_already_move_nobody(tmp_path: Path):
    own = lay_out(tmp_path / "unified" / "app.scope", {**V2, "cgroup.subtree_control": "io memory\n"})
    (own / "cgroup.procs").write_text("4242\n")
    lay_out(tmp_path / "unified", V2)
    groups = GroupsV2(tmp_path / "unified", own)
    groups.prepare()
    groups.close()
    assert (own / "cgroup.procs").read_text() == "4242\n"
    assert (own / "cgroup.subtree_control").read_text() == "io memory\n"


def test_only_what_was_switched_on_is_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = lay_out(tmp_path / "unified" / "app.scope", {**V2, "cgroup.subtree_control": "memory\n"})
    groups = GroupsV2(lay_out(tmp_path / "unified", V2), own)
    written: list[str] = []
    put = cgroup_files.put
    monkeypatch.setattr(cgroup_files, "put", lambda file, value: (written.append(value), put(file, value)))
    groups.prepare()
    groups.close()
    assert [each for each in written if each[0] in "+-"] == ["+io", "-io"]


def test_controllers_at_the_root_stay_on_for_whoever_came_to_count_on_them(tmp_path: Path):
    root = root_v2(tmp_path)
    groups = GroupsV2(root, root)
    groups.prepare()
    groups.close()
    assert (root / "cgroup.subtree_control").read_text() == "+io"


def test_a_controller_that_is_not_delegated_is_named_with_what_delegates_it(tmp_path: Path):
    mount = lay_out(tmp_path / "unified", V2)
    own = lay_out(mount / "app.scope", {**V2, "cgroup.controllers": "cpu memory pids\n"})
    with pytest.raises(CgroupsUnusable, match=r"app.scope lacks the controller io: .*Delegate=cpu io memory pids"):
        GroupsV2(mount, own).prepare()
    assert groups_in(tmp_path) == []


def test_a_directory_that_may_not_be_written_is_named(v1: GroupsV1, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = lay_out(lay_out(tmp_path / "unified", V2) / "session.scope", V2)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # as for anybody but root
    with pytest.raises(CgroupsUnusable, match=r"memory is not writable for this user: run it as root\."):
        v1.prepare()
    with pytest.raises(CgroupsUnusable, match=r"session.scope is not writable .* `systemd-run --user --scope"):
        GroupsV2(tmp_path / "unified", own).prepare()


def test_a_kernel_without_throttling_is_said(v1: GroupsV1, tmp_path: Path):
    (tmp_path / "blkio" / "blkio.throttle.read_iops_device").unlink()
    with pytest.raises(CgroupsUnusable, match="this kernel was built without throttling of disks"):
        v1.prepare()


def test_what_the_kernel_refuses_is_said_and_leaves_nothing(v1: GroupsV1, tmp_path: Path, monkeypatch):
    def refuse(file: Path, value: str) -> None:
        raise OSError(22, "Invalid argument", str(file))

    monkeypatch.setattr(cgroup_files, "put", refuse)
    with pytest.raises(CgroupsUnusable, match=r"the kernel refuses it: Invalid argument \(.*memory.swappiness\)"):
        cgroups.attempt(v1, "254:0")
    assert groups_in(tmp_path) == []


@pytest.mark.parametrize(("refused", "back"), [("+memory", "4243"), ("+io", "4243"), ("4243", "4242")])
def test_an_attempt_that_fails_half_way_has_the_processes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str, back: str
):
    own = lay_out(lay_out(tmp_path / "unified", V2) / "app.scope", V2)
    (own / "cgroup.procs").write_text("4242\n4243\n")
    put = cgroup_files.put

    def refuse(file: Path, value: str) -> None:
        if value == refused:
            raise OSError(16, "Device or resource busy", str(file))
        put(file, value)

    monkeypatch.setattr(cgroup_files, "put", refuse)
    groups = GroupsV2(tmp_path / "unified", own)
    with pytest.raises(CgroupsUnusable, match="the kernel refuses it: Device or resource busy"):
        cgroups.attempt(groups, "8:0")
    # A file has the last of its writes: the last process that was moved aside is the last that came back.
    assert (own / "cgroup.procs").read_text() == back
    assert groups_in(tmp_path) == []
    groups.close()


def test_a_group_for_the_processes_that_cannot_be_made_moves_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = lay_out(lay_out(tmp_path / "unified", V2) / "app.scope", V2)

    def refuse(directory: Path) -> None:
        raise OSError(28, "No space left on device", str(directory))

    monkeypatch.setattr(cgroup_files, "mkdir", refuse)
    with pytest.raises(CgroupsUnusable, match="the kernel refuses it: No space left on device"):
        cgroups.attempt(GroupsV2(tmp_path / "unified", own), "8:0")


def test_an_attempt_leaves_nothing(v1: GroupsV1, tmp_path: Path):
    cgroups.attempt(v1, "254:0")
    cgroups.attempt(GroupsV2(root_v2(tmp_path), tmp_path), "254:0")
    assert groups_in(tmp_path) == []


def test_a_group_that_cannot_be_removed_is_named(v1: GroupsV1, tmp_path: Path, kernel: Kernel):
    group = v1.group("127.0.0.1", "254:0")
    group.make()
    kernel.busy.add(tmp_path / "memory" / f"{OWN}127.0.0.1")
    with pytest.raises(LabError, match=f"{OWN}127.0.0.1 cannot be removed: Device or resource busy"):
        group.remove()


def test_groups_of_killed_labs_are_removed_and_others_stay(v1: GroupsV1, tmp_path: Path, kernel: Kernel):
    ended = next(pid for pid in range(2**22, 0, -1) if not psutil.pid_exists(pid))
    left, running, alive, strange = (
        lay_out(tmp_path / "memory" / name, MEMORY_V1)
        for name in (f"isotherm-lab-{ended}-a", f"isotherm-lab-{ended}-b", f"isotherm-lab-{os.getppid()}-c", "others")
    )
    kernel.busy.add(running)
    v1.prepare()
    assert not left.exists()
    assert running.exists() and alive.exists() and strange.exists()


def process(folder: Path, mountinfo: str, cgroup: str = "") -> Path:
    (folder / "mountinfo").write_text(mountinfo)
    (folder / "cgroup").write_text(cgroup)
    return folder


def test_mounts_of_version_1_are_found_by_controller(tmp_path: Path):
    mounts = CgroupMounts.read(
        process(
            tmp_path,
            "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
            "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
            "38 31 0:35 / /sys/fs/cgroup/cpu,blk\\040io rw,relatime - cgroup cgroup rw,cpu,blkio\n",
            "4:memory:/\n",
        )
    )
    assert mounts.v1["memory"] == Path("/sys/fs/cgroup/memory")
    assert mounts.v1["blkio"] == Path("/sys/fs/cgroup/cpu,blk io")
    assert (mounts.v2, mounts.own_v2) == (None, None)
    assert isinstance(cgroups.find(mounts), GroupsV1)


@pytest.mark.parametrize(
    ("root", "own", "place"),
    [("/", "/user.slice/a.scope", "/sys/fs/cgroup/user.slice/a.scope"), ("/", "/", "/sys/fs/cgroup"),
     ("/docker/1", "/docker/1", "/sys/fs/cgroup")],
)  # fmt: skip
def test_version_2_is_found_with_the_own_group(tmp_path: Path, root: str, own: str, place: str):
    line = f"31 23 0:28 {root} /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
    mounts = CgroupMounts.read(process(tmp_path, line, f"0::{own}\n"))
    assert (mounts.v2, mounts.own_v2) == (Path("/sys/fs/cgroup"), Path(place))


def test_without_cgroups_a_sentence_says_so(tmp_path: Path):
    with pytest.raises(CgroupsUnusable, match="neither cgroup version 2 nor version 1's"):
        cgroups.find(CgroupMounts.read(process(tmp_path, "22 27 0:21 / /proc rw,relatime - proc proc rw\n")))
    with pytest.raises(CgroupsUnusable, match="neither"):
        cgroups.find(CgroupMounts.read(tmp_path / "no-such-process"))
