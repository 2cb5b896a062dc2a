# SPDX-License-Identifier: Apache-2.0
"""What storage page-cache does with groups, and with the processes of nodes; stand-ins run instead of Cassandra."""

import sys
import time
from pathlib import Path

import pytest
from cgroup_kernel import BLKIO_V1, MEMORY_V1, V2, Kernel, lay_out

from isotherm_lab.cluster import cgroup_files, page_cache_storage
from isotherm_lab.cluster.cgroup_mounts import CgroupMounts
from isotherm_lab.cluster.cgroup_v1 import GroupsV1
from isotherm_lab.cluster.cgroup_v2 import GroupsV2
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.node_disks import SharedDisk, Speed
from isotherm_lab.cluster.page_cache_storage import Bounds, PageCacheStorage
from isotherm_lab.errors import LabError

ADDRESSES = ("127.77.77.77", "127.77.77.78")
MIB = 2**20


@pytest.fixture(autouse=True)
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr(cgroup_files, "mkdir", kernel.mkdir)
    monkeypatch.setattr(cgroup_files, "rmdir", kernel.rmdir)
    return kernel


@pytest.fixture
def mounts(tmp_path: Path) -> CgroupMounts:
    memory, blkio = lay_out(tmp_path / "memory", MEMORY_V1), lay_out(tmp_path / "blkio", BLKIO_V1)
    return CgroupMounts({"memory": memory, "blkio": blkio}, None, None)


@pytest.fixture
def storage(mounts: CgroupMounts) -> PageCacheStorage:
    speed = Speed(reads_per_s=400)
    return PageCacheStorage(Bounds(125, speed), GroupsV1(*mounts.v1.values()), SharedDisk(speed, "254:0"))


@pytest.fixture
def cluster(tmp_path: Path, storage: PageCacheStorage):
    def node(address: str) -> Node:
        (tmp_path / address / "logs").mkdir(parents=True)
        return Node(
            address, tmp_path / address, [sys.executable, "-c", "import time; time.sleep(600)"], storage=storage
        )

    with Cluster("t", tmp_path, [node(address) for address in ADDRESSES], ["cassandra"] * 2, None, storage) as cluster:
        yield cluster


def groups(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/isotherm-lab-*"))


def of(tmp_path: Path, controller: str, address: str, file: str) -> Path:
    (group,) = (tmp_path / controller).glob(f"isotherm-lab-*-{address}")
    return group / file


def until(true) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_node_is_in_its_groups_before_it_does_anything_and_joins_again(cluster: Cluster, tmp_path: Path):
    first = cluster.nodes[0]
    for _ in range(2):
        first.start()
        files = [of(tmp_path, controller, first.address, "cgroup.procs") for controller in ("memory", "blkio")]
        until(lambda files=files: [file.read_text() for file in files] == [f"{first.identity.pid}\n"] * 2)
        # The shell that joined has become the node.
        until(lambda: first.identity.process().cmdline() == first.command)
        assert of(tmp_path, "blkio", first.address, "blkio.throttle.read_iops_device").read_text() == "254:0 1000000"
        first.kill()
    assert len(groups(tmp_path)) == 2


def test_bounds_follow_what_the_process_has(cluster: Cluster, storage: PageCacheStorage, tmp_path: Path):
    for node in cluster.nodes:
        node.start()
    for index, other in enumerate((700 * MIB, 100 * MIB)):
        of(tmp_path, "memory", ADDRESSES[index], "memory.usage_in_bytes").write_text(f"{other + 500_000}\n")
    storage.bound(cluster.nodes)
    limits = [int(of(tmp_path, "memory", address, "memory.limit_in_bytes").read_text()) for address in ADDRESSES]
    # A process that only begins to touch its heap keeps the room that the heap will take.
    assert limits == [(700 + 125) * MIB, (640 + 125) * MIB]


def test_one_disk_may_be_slower_than_the_others(cluster: Cluster, storage: PageCacheStorage, tmp_path: Path):
    for node in cluster.nodes:
        node.start()

    def rates() -> list[str]:
        return [of(tmp_path, "blkio", each, "blkio.throttle.read_iops_device").read_text() for each in ADDRESSES]

    storage.slow(cluster.nodes)
    assert rates() == ["254:0 400"] * 2
    storage.slow(cluster.nodes[:1], times=20)
    assert rates() == ["254:0 20", "254:0 400"]
    storage.slow(cluster.nodes[:1], times=1000)
    assert rates() == ["254:0 1", "254:0 400"]
    storage.hang(cluster.nodes[1:])
    assert rates() == ["254:0 1", "254:0 1"]
    storage.fast(cluster.nodes)
    assert rates() == ["254:0 1000000"] * 2


def test_a_running_node_is_not_cooled(cluster: Cluster, storage: PageCacheStorage):
    cluster.nodes[0].start()
    with pytest.raises(LabError, match="is running: stop it before its caches are emptied"):
        storage.cool(cluster.nodes[0])


def test_the_probe_is_told_where_disk_reads_are_counted_before_the_group_is_there(storage: PageCacheStorage, tmp_path):
    told = storage.properties(ADDRESSES[0], tmp_path)
    assert told["isotherm.lab.disk"] == "254:0"
    assert Path(told["isotherm.lab.disk_reads"]).name == "blkio.throttle.io_serviced"
    assert groups(tmp_path) == []
    storage.entrance(Node(ADDRESSES[0], tmp_path, []))
    assert Path(told["isotherm.lab.disk_reads"]).is_file()
    storage.close()


@pytest.mark.parametrize("failure", [KeyboardInterrupt, LabError])
def test_whatever_ends_a_cluster_no_group_is_left(storage: PageCacheStorage, tmp_path: Path, failure):
    (tmp_path / "logs").mkdir()
    node = Node(ADDRESSES[0], tmp_path, [sys.executable, "-c", "import time; time.sleep(600)"], storage=storage)
    with (
        pytest.raises(failure),
        Cluster("t", tmp_path, [node], ["cassandra"], None, storage),
    ):
        node.start()
        assert len(groups(tmp_path)) == 2
        raise failure
    assert groups(tmp_path) == []
    assert not node.is_running()


def test_an_interrupted_removal_is_taken_up_again(storage: PageCacheStorage, tmp_path: Path, monkeypatch):
    for address in ADDRESSES:
        storage.entrance(Node(address, tmp_path, []))
    removed = cgroup_files.remove

    def interrupted(directory: Path) -> None:
        monkeypatch.setattr(cgroup_files, "remove", removed)
        raise KeyboardInterrupt

    monkeypatch.setattr(cgroup_files, "remove", interrupted)
    with pytest.raises(KeyboardInterrupt):
        storage.close()
    assert {directory.name.rsplit("-", 1)[1] for directory in groups(tmp_path)} == {ADDRESSES[1]}
    storage.close()
    assert groups(tmp_path) == []


def test_groups_that_were_prepared_half_way_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = lay_out(lay_out(tmp_path / "unified", V2) / "app.scope", V2)
    (own / "cgroup.procs").write_text("4242\n")
    speed, put = Speed(reads_per_s=400), cgroup_files.put

    def refuse(file: Path, value: str) -> None:
        if value == "+io":
            raise OSError(16, "Device or resource busy", str(file))
        put(file, value)

    monkeypatch.setattr(cgroup_files, "put", refuse)
    storage = PageCacheStorage(Bounds(125, speed), GroupsV2(tmp_path / "unified", own), SharedDisk(speed, "254:0"))
    with pytest.raises(OSError, match="busy"):
        storage.entrance(Node(ADDRESSES[0], tmp_path, []))
    for _ in range(2):
        storage.close()
        assert list(own.glob("isotherm-lab-*")) == []
        assert (own / "cgroup.procs").read_text() == "4242"


def test_a_cluster_that_cannot_start_leaves_no_group(storage: PageCacheStorage, tmp_path: Path):
    (tmp_path / "logs").mkdir()
    node = Node(ADDRESSES[0], tmp_path, [sys.executable, "-c", "raise SystemExit('no disk today')"], storage=storage)
    with pytest.raises(LabError, match="no disk today"):
        Cluster("t", tmp_path, [node], ["cassandra"], None, storage).start()
    assert groups(tmp_path) == []


def test_a_node_that_cannot_join_does_not_start(cluster: Cluster, storage: PageCacheStorage, tmp_path: Path):
    node = cluster.nodes[0]
    storage.entrance(node)
    procs = of(tmp_path, "memory", node.address, "cgroup.procs")
    procs.unlink()
    procs.symlink_to("/dev/full")
    node.start()
    with pytest.raises(LabError, match=r"stopped while starting[\s\S]*cgroup.procs cannot be joined\."):
        node.wait_until_answers(timeout_s=10)


def test_what_is_missing_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    nothing = CgroupMounts({}, None, None)
    monkeypatch.setattr(page_cache_storage, "working_directory", lambda: tmp_path)
    monkeypatch.setattr(page_cache_storage.CgroupMounts, "read", classmethod(lambda _: nothing))
    assert page_cache_storage.missing() == (
        "Storage page-cache is not possible here: neither cgroup version 2 nor version 1's memory and blkio controllers"
        " are mounted."
    )
