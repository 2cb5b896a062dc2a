# SPDX-License-Identifier: Apache-2.0
"""The packages, installed into Cassandra's own directories, started with its own scripts, and removed again."""

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import ar_archive
import pytest
import yaml
from cassandra_layout import CassandraLayout
from isotherm_packages import debian, image, tarball
from isotherm_packages.files import Project
from offline_tools import AS_A_NODE

from isotherm_lab.cluster.classpath import plugin_jar
from isotherm_lab.cluster.node import Node
from isotherm_lab.paths import project_root


@pytest.fixture(scope="module")
def built() -> Project:
    jar = plugin_jar()
    return Project(project_root(), jar, jar.stem.removeprefix("isotherm-"))


def succeeded(*command: object) -> str:
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def cqlsh(node: Node, statement: str) -> str:
    patient = ("--connect-timeout", "60", "--request-timeout", "60")
    return succeeded(Path(sys.executable).with_name("cqlsh"), "--no-color", *patient, node.address, "-e", statement)


@pytest.fixture
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[CassandraLayout, Node]]:
    """A layout and its node, which the test starts."""
    layout = request.param(tmp_path / "root")
    node = layout.node(tmp_path / "scratch")
    try:
        yield layout, node
    finally:
        node.kill()
        layout.remove()


def assert_serves_with_the_plugin(layout: CassandraLayout, node: Node) -> None:
    node.start()
    node.wait_until_answers(timeout_s=600)
    assert "Isotherm for Cassandra 5.0 started" in node.log_tail(lines=2000)
    status = layout.nodetool("status")
    assert status.returncode == 0, status.stdout + status.stderr
    assert f"UN  {node.address}" in status.stdout
    assert "dev.isotherm.IsothermSnitch" in layout.nodetool("describecluster").stdout
    rows = cqlsh(node, "SELECT JSON name, value FROM isotherm.settings WHERE name = 'heat.enabled'")
    assert {"name": "heat.enabled", "value": "true"} in [
        json.loads(line) for line in rows.splitlines() if line.lstrip().startswith("{")
    ]
    node.stop()


def assert_tools_take_what_is_meant_for_nodes(layout: CassandraLayout) -> None:
    """The scripts of tools give them jvm-clients.options, in which an operator may have the query handler too."""
    options = layout.conf / "jvm-clients.options"
    before = options.read_text()
    options.write_text(f"{before}\n{AS_A_NODE}\n")
    try:
        verified = layout.script("sstableverify", "-f", "system", "local")
        assert verified.returncode == 0, verified.stdout + verified.stderr
        assert "Verifying" in verified.stdout
        assert "isotherm" not in verified.stderr
    finally:
        options.write_text(before)


@pytest.mark.parametrize("running", [CassandraLayout.of_archive], indirect=True, ids=["archive"])
def test_the_archive_is_installed_started_and_removed(
    built: Project, running: tuple[CassandraLayout, Node], tmp_path: Path
) -> None:
    layout, node = running
    with tarfile.open(fileobj=io.BytesIO(tarball.content(built))) as archive:
        archive.extractall(tmp_path, filter="tar")
    script = tmp_path / f"isotherm-{built.version}" / "install.sh"
    before = layout.files()
    succeeded(script, "--home", layout.home)
    assert_serves_with_the_plugin(layout, node)
    assert_tools_take_what_is_meant_for_nodes(layout)
    succeeded(script, "uninstall", "--home", layout.home)
    assert layout.files() == before


@pytest.mark.long
@pytest.mark.parametrize("running", [CassandraLayout.of_debian], indirect=True, ids=["debian"])
def test_the_debian_package_is_installed_started_and_removed(
    built: Project, running: tuple[CassandraLayout, Node], tmp_path: Path
) -> None:
    layout, node = running
    package = tmp_path / debian.name(built)
    package.write_bytes(debian.content(built))
    before = layout.files()
    # As dpkg does: the files, and the scripts with what they are told. The unit tests do it with dpkg.
    members = ar_archive.members(package.read_bytes())
    with tarfile.open(fileobj=io.BytesIO(members["data.tar.gz"])) as files:
        brought = [(member.name.removeprefix("./"), member.isdir()) for member in files.getmembers()]
        files.extractall(layout.root, filter="tar")
    with tarfile.open(fileobj=io.BytesIO(members["control.tar.gz"])) as control:
        control.extractall(tmp_path / "control", filter="tar")
    succeeded(layout.root / "usr" / "sbin" / "isotherm-setup", "install", "--root", layout.root)
    assert_serves_with_the_plugin(layout, node)
    for script, told in (("prerm", "remove"), ("postrm", "purge")):
        succeeded("env", f"DPKG_ROOT={layout.root}", "sh", tmp_path / "control" / script, told)
        if script == "prerm":
            for name, is_directory in reversed(brought):
                if not is_directory:
                    os.unlink(layout.root / name)
                elif name and not any((layout.root / name).iterdir()):
                    os.rmdir(layout.root / name)
    assert layout.files() == before


def volume_of_image(built: Project, folder: Path) -> Path:
    """Run what the image runs, and return the volume into which it has put its files."""
    layout, files, volume = folder / "layout", folder / "files", folder / "volume"
    with tarfile.open(fileobj=io.BytesIO(image.content(built))) as archive:
        archive.extractall(layout, filter="tar")
    blobs = layout / "blobs" / "sha256"

    def blob(descriptor: dict[str, str]) -> Path:
        return blobs / descriptor["digest"].removeprefix("sha256:")

    (manifest,) = json.loads((layout / "index.json").read_text())["manifests"]
    (layer,) = json.loads(blob(manifest).read_text())["layers"]
    with tarfile.open(blob(layer)) as archive:
        archive.extractall(files, filter="tar")
    volume.mkdir()
    succeeded(files / "copy", volume, files / "isotherm")
    return volume


@pytest.mark.long
@pytest.mark.parametrize("running", [CassandraLayout.of_archive], indirect=True, ids=["image"])
def test_the_image_is_installed_started_and_removed(
    built: Project, running: tuple[CassandraLayout, Node], tmp_path: Path
) -> None:
    """As the sample for K8ssandra does, on one machine: the jar and the settings are mounted, and named."""
    layout, node = running
    volume = volume_of_image(built, tmp_path / "image")
    shutil.copy(volume / "isotherm.jar", layout.home / "lib" / f"isotherm-{built.version}.jar")
    sample = (project_root() / "packages" / "k8ssandra" / "isotherm.yaml").read_text()
    settings = tmp_path / "isotherm.yaml"
    settings.write_text(next(yaml.safe_load_all(sample))["data"]["isotherm.yaml"])
    with open(layout.conf / "jvm-server.options", "a") as options:
        options.write(f"-Disotherm.config={settings}\n")
    before = layout.files()
    install = ["sh", volume / "install.sh"]
    succeeded(*install, "install", "--home", layout.home, "--conf", layout.conf)
    assert_serves_with_the_plugin(layout, node)
    succeeded(*install, "uninstall", "--home", layout.home, "--conf", layout.conf)
    assert layout.files() == before
