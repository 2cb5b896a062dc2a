# SPDX-License-Identifier: Apache-2.0
"""What a cluster decides before anything is started."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from isotherm_lab.cluster import cluster as module
from isotherm_lab.cluster import left_mounts, preflight
from isotherm_lab.cluster.cluster import Cluster, addresses
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.process_identity import ProcessIdentity
from isotherm_lab.cluster.storage import CompressorStorage
from isotherm_lab.cluster.variants import variant
from isotherm_lab.errors import LabError


def test_addresses_begin_where_they_are_told():
    assert addresses(3) == ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
    assert addresses(2, first=21) == ["127.0.0.21", "127.0.0.22"]


@pytest.mark.parametrize(("count", "first"), [(0, 1), (10, 1), (3, 0), (3, 253)])
def test_addresses_that_do_not_exist_are_refused(count, first):
    with pytest.raises(LabError, match=r"127|nodes"):
        addresses(count, first)


def equipped(address, chosen, joins):
    return [address, chosen.name, str(joins)]


def test_a_change_of_variant_equips_the_stopped_node_anew(tmp_path):
    node = Node("127.0.0.1", tmp_path, ["old"])
    cluster = Cluster("t", tmp_path, [node], ["cassandra"], equipped)
    cluster.change_variant(0, variant("isotherm"))
    assert node.command == ["127.0.0.1", "isotherm", "False"]
    assert cluster.variants == ["isotherm"]


def test_a_cluster_that_was_only_found_cannot_change_its_variants(tmp_path):
    cluster = Cluster("t", tmp_path, [Node("127.0.0.1", tmp_path, [])], ["cassandra"])
    with pytest.raises(LabError, match="create the cluster anew"):
        cluster.change_variant(0, variant("isotherm"))


def test_an_empty_node_takes_the_place_of_a_stopped_one(tmp_path):
    directory = tmp_path / "node1"
    (directory / "data").mkdir(parents=True)
    node = Node("127.0.0.1", directory, ["old"])
    Cluster("t", tmp_path, [node], ["cassandra"], equipped).replace(0, variant("cassandra"))
    assert node.command == ["127.0.0.1", "cassandra", "True"]
    assert not directory.exists()


def test_one_more_node_has_the_next_address_and_is_forgotten_when_it_has_left(tmp_path):
    cluster = Cluster(
        "t", tmp_path, [Node("127.0.0.241", tmp_path / "node1", [])], ["cassandra"], equipped
    )  # fmt: skip
    more = cluster.add(variant("isotherm"))
    assert (more.address, more.directory) == ("127.0.0.242", tmp_path / "node2")
    assert more.command == ["127.0.0.242", "isotherm", "True"]
    assert cluster.variants == ["cassandra", "isotherm"]
    cluster.remove_last()
    assert cluster.contact_points() == ["127.0.0.241"]
    assert cluster.variants == ["cassandra"]


class Closed(CompressorStorage):
    """A storage that says when it is closed, and cannot be."""

    def __init__(self, told: list[str]):
        self._told = told

    def close(self) -> None:
        self._told.append("storage")
        raise LabError("The storage cannot be closed.")


def test_a_node_that_cannot_be_killed_keeps_none_of_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    told: list[str] = []

    def kill(node: Node) -> None:
        told.append(node.address)
        if node is not nodes[-1]:
            raise LabError(f"{node.address} could not be killed.")

    monkeypatch.setattr(Node, "kill", kill)
    nodes = [Node(f"127.0.0.{number}", tmp_path, []) for number in (1, 2, 3)]
    with pytest.raises(LabError, match=r"127\.0\.0\.1 could not be killed"):
        Cluster("t", tmp_path, nodes, ["cassandra"] * 3, storage=Closed(told)).kill()
    assert told == ["127.0.0.1", "127.0.0.2", "127.0.0.3", "storage"]


class Interrupted:
    """Nodes of which the first two killings are interrupted; what has been killed."""

    def __init__(self) -> None:
        self.killed: list[str] = []
        self._left = 2

    def kill(self, node: Node) -> None:
        if self._left:
            self._left -= 1
            raise KeyboardInterrupt
        self.killed.append(node.address)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Interrupted:
    nodes = Interrupted()
    monkeypatch.setattr(Node, "kill", lambda node: nodes.kill(node))
    return nodes


def test_another_ctrl_c_leaves_no_node_of_a_cluster_that_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupted: Interrupted
):
    def start(_node: Node) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Node, "start", start)
    nodes = [Node(f"127.0.0.{number}", tmp_path, []) for number in (1, 2)]
    with pytest.raises(KeyboardInterrupt):
        Cluster("t", tmp_path, nodes, ["cassandra"] * 2).start()
    assert interrupted.killed == ["127.0.0.1", "127.0.0.2"]


def test_a_ctrl_c_while_nodes_are_ended_ends_what_comes_after_them(tmp_path: Path, interrupted: Interrupted):
    with pytest.raises(KeyboardInterrupt), Cluster("t", tmp_path, [Node("127.0.0.1", tmp_path, [])], ["cassandra"]):
        pass
    assert interrupted.killed == ["127.0.0.1"]


@pytest.fixture
def earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the node of an earlier cluster "t", of which nobody knows a process."""
    monkeypatch.setattr(module, "working_directory", lambda: tmp_path)
    monkeypatch.setattr(preflight, "check", lambda addresses, heap_mib: None)
    directory = tmp_path / "t" / "node1"
    (directory / "data").mkdir(parents=True)
    Cluster("t", tmp_path / "t", [Node("127.0.0.1", directory, [])], ["cassandra"]).save()
    return directory


def test_memory_is_asked_for_the_heaps_that_the_nodes_will_have(earlier: Path, monkeypatch: pytest.MonkeyPatch):
    def check(addresses: list[str], heap_mib: int) -> None:
        raise LabError(f"{len(addresses)} nodes of {heap_mib} MiB")

    monkeypatch.setattr(preflight, "check", check)
    with pytest.raises(LabError, match="2 nodes of 4096 MiB"):
        Cluster.create("t", [variant("cassandra")] * 2, heap_mib=4096)
    created = Cluster("t", earlier.parent, [Node("127.0.0.1", earlier, [])], ["cassandra"], equipped, heap_mib=4096)
    with pytest.raises(LabError, match="1 nodes of 4096 MiB"):
        created.add(variant("cassandra"))


@pytest.mark.parametrize("name", ["..", ".", "", "/tmp/x", "a/b", "-a", "a\n"])
def test_a_name_that_is_no_folder_of_its_own_is_refused(earlier: Path, name: str):
    with pytest.raises(LabError, match="is no name of a cluster: write one of letters"):
        Cluster.create(name, [variant("cassandra")])
    with pytest.raises(LabError, match="is no name of a cluster: write one of letters"):
        Cluster.find(name)
    assert (earlier / "data").is_dir()


def test_a_file_of_the_labs_own_is_no_cluster(earlier: Path):
    file = earlier.parents[1] / "cassandra.classpath"
    file.write_text("a.jar")
    with pytest.raises(LabError, match=r"cassandra\.classpath is a file of the lab's own: choose another name"):
        Cluster.find(file.name)


def test_what_an_earlier_cluster_left_stays_where_none_can_be_started(earlier: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(_addresses: list[str], _heap_mib: int) -> None:
        raise LabError("Port 9042 of 127.0.0.1 is in use by java (pid 4242)")

    monkeypatch.setattr(preflight, "check", refuse)
    with pytest.raises(LabError, match="4242"):
        Cluster.create("t", [variant("cassandra")])
    assert (earlier / "data").is_dir()


def test_what_a_forgotten_node_works_on_stays(earlier: Path):
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    with subprocess.Popen([*command, f"-Disotherm.lab.directory={earlier}"], cwd=earlier) as forgotten:
        try:
            stop = rf"node1 is in use by python.* \(pid {forgotten.pid}\): stop it \(`kill {forgotten.pid}`"
            with pytest.raises(LabError, match=stop):
                Cluster.create("t", [variant("cassandra")], first_address=21)
        finally:
            forgotten.kill()
    assert (earlier / "data").is_dir()


def test_a_cluster_that_runs_is_named_with_the_command_that_stops_it(earlier: Path):
    with subprocess.Popen(["sleep", "600"], cwd=earlier) as running:
        try:
            node = Node("127.0.0.1", earlier, [], ProcessIdentity.of(running.pid))
            Cluster("t", earlier.parent, [node], ["cassandra"]).save()
            with pytest.raises(LabError, match=r"'t' is running: `isotherm-lab down --name t` stops it"):
                Cluster.create("t", [variant("cassandra")])
        finally:
            running.kill()
    assert (earlier / "data").is_dir()


def test_who_only_looks_into_a_directory_does_not_use_it(earlier: Path):
    with subprocess.Popen(["sleep", "600"], cwd=earlier) as looking:
        try:
            preflight.check_unused(earlier.parent)
        finally:
            looking.kill()


def test_what_an_interrupted_deletion_left_is_deleted(earlier: Path, monkeypatch: pytest.MonkeyPatch):
    def end(*_: object) -> None:
        raise LabError("That is all.")

    monkeypatch.setattr(module, "_private_jars", end)
    (earlier.parent / "cluster.json").unlink()
    with pytest.raises(LabError, match=r"That is all\."):
        Cluster.create("t", [variant("cassandra")])
    assert not earlier.exists()


def test_what_is_mounted_in_an_earlier_cluster_is_unmounted_before_it_is_deleted(
    earlier: Path, monkeypatch: pytest.MonkeyPatch
):
    unmounted: list[Path] = []

    def unmount(directories: Iterable[Path]) -> None:
        unmounted.extend(directories)
        assert (earlier / "data").is_dir()

    def end(*_: object) -> None:
        raise LabError("That is all.")

    monkeypatch.setattr(left_mounts, "unmount", unmount)
    monkeypatch.setattr(module, "_private_jars", end)
    with pytest.raises(LabError, match=r"That is all\."):
        Cluster.create("t", [variant("cassandra")])
    assert unmounted == [earlier]
    assert not earlier.exists()


@pytest.fixture
def unequipped(earlier: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of that cluster; what is created in its place has no jars and no configuration."""

    def jars(folder: Path, _with_plugin: bool) -> dict[str, list[str]]:
        folder.mkdir(parents=True)
        return {"node": [], "plugin": []}

    monkeypatch.setattr(module, "_private_jars", jars)
    monkeypatch.setattr(module.configuration, "write", lambda *_, **__: None)
    monkeypatch.setattr(module.jvm, "command", lambda **_: ["sleep", "600"])
    return earlier.parent


def test_two_commands_do_not_have_the_cluster_of_a_name_at_a_time(unequipped: Path):
    first = Cluster.create("t", [variant("cassandra")])
    begun = unequipped / "begun"
    begun.touch()
    with pytest.raises(LabError, match=r"Another command of the lab uses the cluster 't': wait until it has ended"):
        Cluster.create("t", [variant("cassandra")])
    assert begun.is_file()
    Cluster.create("another", [variant("cassandra")]).end()
    first.end()
    Cluster.create("t", [variant("cassandra")]).end()
    assert not begun.exists()


def test_a_cluster_that_could_not_be_created_is_in_nobodys_way(unequipped: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(_directory: Path) -> None:
        raise LabError("It is in use.")

    with monkeypatch.context() as failing, pytest.raises(LabError, match="in use") as refused:
        failing.setattr(preflight, "check_unused", refuse)
        Cluster.create("t", [variant("cassandra")])
    # Whoever has the failure has all that was open when it came.
    assert refused.tb
    Cluster.create("t", [variant("cassandra")]).end()


def test_a_node_that_outlives_its_command_does_not_keep_the_name(unequipped: Path):
    # As `isotherm-lab up` leaves it; of the open files of its command a node has none.
    left = Cluster.create("t", [variant("cassandra")])
    (node,) = left.nodes
    (node.directory / "logs").mkdir(parents=True)
    node.start()
    left.save()
    try:
        del left
        with pytest.raises(LabError, match=r"'t' is running: `isotherm-lab down --name t` stops it"):
            Cluster.create("t", [variant("cassandra")])
    finally:
        node.kill()
