# SPDX-License-Identifier: Apache-2.0
"""Packages of a jar that is none, and made-up places to install them in."""

import io
import os
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from isotherm_packages import debian, tarball
from isotherm_packages.files import Project

ROOT = Path(__file__).parents[4]
VERSION = "0.1.0"
SNITCH = "GossipingPropertyFileSnitch"
CASSANDRA_YAML = f"""\
cluster_name: 'Test Cluster'
# How nodes find their racks.
endpoint_snitch: {SNITCH}
dynamic_snitch_update_interval: 100ms
"""
HANDLER = "-Dcassandra.custom_query_handler_class="
OUR_HANDLER = f"{HANDLER}dev.isotherm.IsothermQueryHandler"
OPTIONS = "# Threads\n-Xss512k\n-XX:+UseNUMA\n"
needs_dpkg = pytest.mark.skipif(shutil.which("dpkg") is None, reason="needs dpkg, as Debian has it")


def project(folder: Path, version: str = VERSION, jar: bytes = b"a jar") -> Project:
    """Return the checkout with a jar of this content."""
    file = folder / f"isotherm-{version}.jar"
    file.write_bytes(jar)
    return Project(ROOT, file, version)


def unpacked(folder: Path, version: str = VERSION, jar: bytes = b"a jar") -> Path:
    """Return the folder of the unpacked archive."""
    folder.mkdir(exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(tarball.content(project(folder, version, jar)))) as archive:
        archive.extractall(folder, filter="tar")
    return folder / f"isotherm-{version}"


def snapshot(folder: Path) -> dict[str, tuple[bytes | str | None, int]]:
    """Return the content and mode of each file below a folder; of a link its target, of a directory its mode."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = (os.readlink(path), 0)
        else:
            content = None if path.is_dir() else path.read_bytes()
            found[str(path.relative_to(folder))] = (content, path.stat().st_mode & 0o777)
    return found


@dataclass(frozen=True)
class Layout:
    """A Cassandra as far as install.sh looks at it."""

    home: Path
    conf: Path

    @classmethod
    def of_archive(cls, folder: Path, release: str = "5.0.9") -> "Layout":
        """Return the layout of Cassandra's binary archive."""
        layout = cls(folder, folder / "conf")
        layout._write(layout.home / "lib" / f"apache-cassandra-{release}.jar")
        return layout

    @classmethod
    def of_debian(cls, root: Path, release: str = "5.0.9") -> "Layout":
        """Return the layout of Cassandra's Debian package."""
        layout = cls(root / "usr" / "share" / "cassandra", root / "etc" / "cassandra")
        (layout.home / "lib").mkdir(parents=True)
        # Neither is ever empty or missing there, so that what dpkg removes is the plugin's.
        (layout.home / "lib" / "guava-32.0.1-jre.jar").write_bytes(b"of Cassandra's package")
        (root / "var" / "lib").mkdir(parents=True)
        layout._write(layout.home / f"apache-cassandra-{release}.jar")
        (layout.home / "apache-cassandra.jar").symlink_to(f"apache-cassandra-{release}.jar")
        return layout

    def _write(self, release_jar: Path) -> None:
        release_jar.parent.mkdir(parents=True, exist_ok=True)
        release_jar.write_bytes(b"Cassandra")
        self.conf.mkdir(parents=True)
        self.yaml.write_text(CASSANDRA_YAML)
        self.options.write_text(OPTIONS)
        self.yaml.chmod(0o640)
        (self.conf / "jvm17-server.options").write_text("-XX:+UseG1GC\n")

    @property
    def yaml(self) -> Path:
        return self.conf / "cassandra.yaml"

    @property
    def options(self) -> Path:
        return self.conf / "jvm-server.options"

    @property
    def config(self) -> Path:
        return self.conf / "isotherm.yaml"

    def jars(self) -> list[str]:
        """Return the plugin's jars in lib/."""
        return sorted(file.name for file in (self.home / "lib").glob("isotherm*.jar"))


@dataclass(frozen=True)
class Debian:
    """A Debian with Cassandra's package, both as far as dpkg looks at them."""

    root: Path
    admin: Path
    package: Path
    layout: Layout

    @classmethod
    def below(cls, folder: Path) -> "Debian":
        """Return one whose files are below a folder, and beside it the plugin's package, which is not installed."""
        packed = project(folder)
        package = folder / debian.name(packed)
        package.write_bytes(debian.content(packed))
        admin = folder / "admin"
        for name in ("info", "updates", "triggers"):
            (admin / name).mkdir(parents=True)
        (admin / "status").write_text(
            "Package: cassandra\nStatus: install ok installed\nVersion: 5.0.9\nArchitecture: all\n"
            "Maintainer: nobody\nDescription: as far as dpkg looks at it\n\n"
        )
        return cls(folder / "root", admin, package, Layout.of_debian(folder / "root"))

    def dpkg(self, *arguments: object) -> str:
        """Run dpkg, which must succeed, and return what it says."""
        ran = subprocess.run(
            ["dpkg", f"--admindir={self.admin}", f"--instdir={self.root}", "--force-not-root",
             "--force-script-chrootless", "--log=/dev/null", *map(str, arguments)],
            env={**os.environ, "PATH": f"{os.environ['PATH']}:/sbin:/usr/sbin"},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def setup(self, *arguments: str) -> str:
        """Run isotherm-setup, which must succeed, and return what it says."""
        command = ["sh", str(self.root / "usr" / "sbin" / "isotherm-setup"), *arguments, "--root", str(self.root)]
        return subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout


def install_script(folder: Path, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run install.sh of an unpacked archive, with these variables besides."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CASSANDRA_", "DPKG_", "JVM_"))}
    return subprocess.run(
        ["sh", str(folder / "install.sh"), *map(str, arguments)],
        env={**clean, **environment}, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def done(folder: Path, layout: Layout, *arguments: object) -> str:
    """Run install.sh of an unpacked archive on the layout, which it must do in silence, and return what it says."""
    ran = install_script(folder, *arguments, "--home", layout.home, "--conf", layout.conf)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stderr == ""
    return ran.stdout


def assert_refuses(archive: Path, layout: Layout, action: str, sentence: str) -> None:
    """Assert that the script refuses in this sentence, and changes nothing."""
    before = snapshot(layout.home)
    ran = install_script(archive, action, "--home", layout.home, "--conf", layout.conf)
    assert ran.returncode == 1, ran.stdout
    assert sentence in ran.stderr
    assert snapshot(layout.home) == before
