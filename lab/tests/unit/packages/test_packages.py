# SPDX-License-Identifier: Apache-2.0
"""What `make package` packs: the archive, the Debian package, the image and its sample for K8ssandra."""

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import ar_archive
import pytest
import yaml
from isotherm_packages import debian, image, tarball
from isotherm_packages.files import Project
from packed import ROOT, SNITCH, VERSION, Debian, Layout, needs_dpkg, project, snapshot

SAMPLE = "k8ssandra/isotherm.yaml"
SIGNALS = {"prometheus/alerts.yaml", "prometheus/jmx-exporter.yaml", "grafana/isotherm.json"}


@pytest.fixture
def packed(tmp_path: Path) -> Project:
    return project(tmp_path)


def members(content: bytes) -> dict[str, tarfile.TarInfo]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {member.name: member for member in archive.getmembers()}


def named(content: bytes) -> set[str]:
    """Return the names of an archive's files, without those of its folders."""
    return {name.removeprefix("./") for name, member in members(content).items() if not member.isdir()}


def extract(content: bytes, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(folder, filter="tar")
    return folder


@pytest.mark.parametrize("kind", [tarball, debian, image], ids=lambda kind: kind.__name__)
def test_a_package_depends_on_its_files_alone(packed: Project, kind: Any) -> None:
    assert kind.content(packed) == kind.content(packed)
    assert packed.version in kind.name(packed)


def test_the_archive_is_one_folder_whose_scripts_can_be_run(packed: Project) -> None:
    found = members(tarball.content(packed))
    folder = f"isotherm-{VERSION}"
    assert {name.split("/")[0] for name in found} == {folder}
    for script in ("install.sh", "isotherm-wait-warm"):
        assert found[f"{folder}/{script}"].mode == 0o755
    assert {(member.uid, member.gid, member.uname) for member in found.values()} == {(0, 0, "root")}


def test_the_archive_has_these_files_and_no_others(packed: Project) -> None:
    assert named(tarball.content(packed)) == {
        f"isotherm-{VERSION}/{name}"
        for name in {
            f"isotherm-{VERSION}.jar", "isotherm.yaml", "install.sh", "install-changes.sh", "isotherm-wait-warm",
            "LICENSE", "NOTICE", "CHANGELOG.md", SAMPLE, *SIGNALS,
        }
    }  # fmt: skip


def test_the_debian_package_has_these_files_and_no_others(packed: Project) -> None:
    parts = ar_archive.members(debian.content(packed))
    assert list(parts) == ["debian-binary", "control.tar.gz", "data.tar.gz"]
    assert named(parts["control.tar.gz"]) == {"control", "md5sums", "preinst", "prerm", "postrm"}
    assert named(parts["data.tar.gz"]) == {
        f"usr/share/cassandra/lib/isotherm-{VERSION}.jar", "usr/sbin/isotherm-setup", "usr/bin/isotherm-wait-warm",
        f"usr/share/doc/{debian.PACKAGE}/copyright", f"usr/share/doc/{debian.PACKAGE}/CHANGELOG.md",
        *(f"usr/share/isotherm/{name}" for name in {"isotherm.yaml", "install.sh", "install-changes.sh", *SIGNALS}),
    }  # fmt: skip


def test_archives_have_the_time_stamp_of_the_jar() -> None:
    # The time stamp of the jar, so that all that is published has one.
    pom = (ROOT / "pom.xml").read_text()
    assert "<project.build.outputTimestamp>2026-01-01T00:00:00Z<" in pom
    assert {member.mtime for member in members(tarball.content(Project(ROOT, ROOT / "NOTICE", "1"))).values()} == {
        1767225600
    }


@needs_dpkg
def test_the_debian_package_comes_and_goes(tmp_path: Path) -> None:
    made = Debian.below(tmp_path)
    root, package, layout, dpkg, setup = made.root, made.package, made.layout, made.dpkg, made.setup
    # The second of two configurations, as $CASSANDRA_CONF would name it.
    other = Layout(layout.home, root / "etc" / "cassandra 2")
    shutil.copytree(layout.conf, other.conf)
    before = snapshot(root)
    dpkg("-i", package)
    # Cassandra is as it was, and the package has a jar for it.
    after = snapshot(root)
    assert {path: after[path] for path in before} == before
    assert layout.jars() == [f"isotherm-{VERSION}.jar"]
    assert dpkg("--verify", debian.PACKAGE) == ""

    record = root / "var" / "lib" / "isotherm" / "configured"
    told = setup("install", "--dry-run")
    assert f"would write /etc/cassandra into {record}" in told
    assert "+endpoint_snitch: dev.isotherm.IsothermSnitch" in told
    assert snapshot(root) == after
    setup("install")
    assert "dev.isotherm.IsothermSnitch" in layout.yaml.read_text()
    assert f"\nsnitch: {SNITCH}\n" in layout.config.read_text()
    assert f"would write /etc/cassandra 2 into {record}" in setup("install", "--dry-run", "--conf", str(other.conf))
    assert record.read_text() == "/etc/cassandra\n"
    setup("install", "--conf", str(other.conf))
    assert record.read_text() == "/etc/cassandra\n/etc/cassandra 2\n"
    assert "nothing to do" in setup("install", "--conf", str(other.conf))
    # An upgrade leaves the configuration.
    configured = snapshot(root / "etc")
    dpkg("-i", package)
    assert snapshot(root / "etc") == configured
    # Taken back by hand, and done again.
    setup("uninstall", "--conf", str(other.conf))
    assert record.read_text() == "/etc/cassandra\n"
    setup("uninstall")
    assert not record.parent.exists()
    setup("install")
    setup("install", "--conf", str(other.conf))

    # Where one cannot be undone, the package stays, and what it is needed for.
    edited = other.yaml.read_text()
    other.yaml.write_text(edited.replace("dev.isotherm.IsothermSnitch", "SimpleSnitch"))
    configured = snapshot(root)
    with pytest.raises(AssertionError, match=r"where install\.sh wrote another line"):
        dpkg("-r", debian.PACKAGE)
    assert snapshot(root) == configured
    other.yaml.write_text(edited)
    dpkg("-i", package)

    said = dpkg("-r", debian.PACKAGE)
    assert said.count("restore in") == 4
    settings = {"etc/cassandra/isotherm.yaml", "etc/cassandra 2/isotherm.yaml"}
    assert snapshot(root).keys() == before.keys() | settings | {"var/lib/isotherm", "var/lib/isotherm/configured"}
    assert {path: snapshot(root)[path] for path in before} == before
    dpkg("-P", debian.PACKAGE)
    assert snapshot(root) == before
    assert not record.parent.exists()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb, as Debian has it")
def test_the_debian_package_is_one(packed: Project, tmp_path: Path) -> None:
    package = tmp_path / debian.name(packed)
    package.write_bytes(debian.content(packed))
    fields = subprocess.run(["dpkg-deb", "-f", package], capture_output=True, text=True, check=True).stdout
    assert f"Version: {VERSION}\n" in fields
    # 4.1.11 and release candidates of 5.0 are between the two, and not known.
    known = "cassandra (>= 4.1.6), cassandra (<< 4.1.11~) | cassandra (>= 5.0), cassandra (<< 5.0.10~)"
    assert f"Depends: {known}\n" in fields
    listed = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout
    assert "root/root" in listed
    assert "./usr/sbin/isotherm-setup -> ../share/isotherm/install.sh" in listed


def test_a_compiler_that_is_missing_or_fails_gives_a_sentence(packed: Project, tmp_path: Path) -> None:
    programs, folder = tmp_path / "bin", tmp_path / "dist"
    programs.mkdir()
    command = [sys.executable, "-m", "isotherm_packages", packed.jar, folder]
    # As ld ends where libc.a is missing.
    for compiler in (None, "#!/bin/sh\nexit 1\n"):
        if compiler:
            (programs / "cc").write_text(compiler)
            (programs / "cc").chmod(0o755)
        ran = subprocess.run(
            command, env={"PATH": str(programs), "PYTHONPATH": str(ROOT / "packages")},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 1
        assert ran.stderr.startswith("`cc -static` did not compile ") and "apt-get install gcc libc6-dev" in ran.stderr
        assert "Traceback" not in ran.stderr


@pytest.fixture
def layout_of_image(packed: Project, tmp_path: Path) -> Path:
    return extract(image.content(packed), tmp_path / "image")


def blob(layout: Path, descriptor: dict[str, Any]) -> bytes:
    """Return what a descriptor describes, having checked that it does."""
    kind, digest = descriptor["digest"].split(":")
    content = (layout / "blobs" / kind / digest).read_bytes()
    assert len(content) == descriptor["size"]
    assert hashlib.new(kind, content).hexdigest() == digest
    return content


def file_system(layout: Path, folder: Path) -> tuple[dict[str, Any], Path]:
    """Return the configuration of the image and its files, unpacked."""
    assert json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
    index = json.loads((layout / "index.json").read_text())
    (listed,) = index["manifests"]
    manifest = json.loads(blob(layout, listed))
    config = json.loads(blob(layout, manifest["config"]))
    (layer,) = manifest["layers"]
    compressed = blob(layout, layer)
    content = gzip.decompress(compressed)
    assert config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(content).hexdigest()}"]
    assert config["os"] == "linux"
    return config["config"], extract(content, folder)


def copied(layout: Path, folder: Path) -> Path:
    """Run what the image runs, and return what it has put into a volume."""
    config, files = file_system(layout, folder / "files")
    volume = folder / "plugin"
    volume.mkdir()
    program = files / config["Entrypoint"][0].lstrip("/")
    subprocess.run([program, volume, files / "isotherm"], check=True, capture_output=True)
    return volume


def test_the_image_puts_its_files_into_a_volume(layout_of_image: Path, tmp_path: Path) -> None:
    volume = copied(layout_of_image, tmp_path)
    assert (volume / "isotherm.jar").read_bytes() == b"a jar"
    assert (volume / "isotherm.yaml").read_bytes() == (ROOT / "conf" / "isotherm.yaml").read_bytes()
    assert sorted(path.name for path in volume.iterdir()) == [
        "install-changes.sh", "install.sh", "isotherm.jar", "isotherm.yaml",
    ]  # fmt: skip


def test_the_program_of_the_image_says_what_is_wrong(layout_of_image: Path, tmp_path: Path) -> None:
    _, files = file_system(layout_of_image, tmp_path / "files")
    for arguments in ([], [tmp_path / "nowhere", files / "isotherm"], [tmp_path, tmp_path / "nowhere"]):
        ran = subprocess.run([files / "copy", *arguments], capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        assert ran.stderr.startswith("copy: ")


def test_the_sample_for_k8ssandra_installs_what_it_mounts(
    packed: Project, layout_of_image: Path, tmp_path: Path
) -> None:
    text = extract(tarball.content(packed), tmp_path / "archive") / f"isotherm-{VERSION}" / SAMPLE
    settings, cluster = yaml.safe_load_all(text.read_text())
    inside = yaml.safe_load(settings["data"]["isotherm.yaml"])
    every = yaml.safe_load((ROOT / "conf" / "isotherm.yaml").read_text())
    assert inside["heat"].keys() <= every["heat"].keys()
    spec = cluster["spec"]["cassandra"]
    containers = {each["name"]: each for each in spec["initContainers"] + spec["containers"]}
    volumes = {volume["name"] for volume in spec["extraVolumes"]["volumes"]} | {"server-config"}
    mounts = {(name, mount["mountPath"]): mount for name, each in containers.items()
              for mount in each.get("volumeMounts", [])}  # fmt: skip
    assert {mount["name"] for mount in mounts.values()} == volumes

    # The pod's file system as far as the init containers see it, after server-config-init has written /config.
    pod = Layout.of_archive(tmp_path / "pod" / "opt" / "cassandra")
    pod.conf.rename(tmp_path / "pod" / "config")
    config = Layout(pod.home, tmp_path / "pod" / "config")
    (option,) = spec["config"]["jvmOptions"]["additionalJvmServerOptions"]
    property_, path = option.split("=")
    assert property_ == "-Disotherm.config"
    config.options.write_text(f"{option}\n")
    assert ("cassandra", str(Path(path).parent)) in mounts
    named = tmp_path / "pod" / path.lstrip("/")
    named.parent.mkdir(parents=True)
    named.write_text(settings["data"]["isotherm.yaml"])

    volume = copied(layout_of_image, tmp_path)
    assert (containers["isotherm-copy"]["args"], containers["isotherm-copy"]["image"].rpartition(":")[2]) == (
        ["/plugin"], VERSION,
    )  # fmt: skip
    place = f"/opt/cassandra/lib/isotherm-{VERSION}.jar"
    for container in ("isotherm-install", "cassandra"):
        shutil.copy(volume / mounts[container, place]["subPath"], tmp_path / "pod" / place.lstrip("/"))
    shutil.copytree(volume, tmp_path / "pod" / "plugin")
    command = [
        f"{tmp_path}/pod{word}" if word.startswith("/") else word for word in containers["isotherm-install"]["command"]
    ]
    ran = subprocess.run([*command, "--root", tmp_path / "pod"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    written = yaml.safe_load(config.yaml.read_text())
    assert (written["endpoint_snitch"], written["dynamic_snitch"]) == ("dev.isotherm.IsothermSnitch", False)
    assert "-Dcassandra.custom_query_handler_class=dev.isotherm.IsothermQueryHandler\n" in config.options.read_text()
    assert not config.config.exists()
