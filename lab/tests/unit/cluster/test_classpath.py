# SPDX-License-Identifier: Apache-2.0
"""Which jar is the project's, and when it is built anew."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from isotherm_lab.cluster import classpath
from isotherm_lab.errors import LabError

#: Seconds of the clock: when the sources were written, and when jars were built.
WRITTEN, BUILT = 1_000, 2_000
POM = "<properties><revision>0.10.0</revision></properties>"


def dated(path: Path, when: float) -> None:
    os.utime(path, (when, when))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose jars are not built; all of its sources are of one moment."""
    for module in ("core", "cassandra", "lab/node"):
        folder = tmp_path / module / "src" / "main" / "java"
        folder.mkdir(parents=True)
        (tmp_path / module / "pom.xml").write_text(POM)
        for name in ("One.java", "Two.java"):
            (folder / name).write_text("")
    (tmp_path / "pom.xml").write_text(POM)
    for path in tmp_path.rglob("*"):
        dated(path, WRITTEN)
    monkeypatch.setattr(classpath, "project_root", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def built(project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often Maven has built the plugin."""
    builds: list[str] = []

    def build(*arguments: str) -> None:
        builds.append(" ".join(arguments))
        jar(project, "0.10.0")

    monkeypatch.setattr(classpath, "_maven", build)
    return lambda: len(builds)


def jar(project: Path, version: str) -> Path:
    """Leave a jar of the plugin, of this version."""
    file = project / "cassandra" / "target" / f"isotherm-{version}.jar"
    file.parent.mkdir(exist_ok=True)
    file.write_text(version)
    dated(file, BUILT)
    return file


def test_the_jar_is_that_of_the_projects_version(project: Path, built: Callable[[], int]):
    jar(project, "0.9.0")
    own = project / "cassandra" / "target" / "isotherm-0.10.0.jar"
    assert (classpath.plugin_jar(), built()) == (own, 1)
    jar(project, "0.10.0")
    assert (classpath.plugin_jar(), built()) == (own, 1)


@pytest.mark.parametrize("module", ["core", "cassandra"])
def test_a_source_that_is_deleted_is_a_reason_to_build(project: Path, built: Callable[[], int], module: str):
    jar(project, "0.10.0")
    classpath.plugin_jar()
    assert built() == 0
    (project / module / "src" / "main" / "java" / "Two.java").unlink()
    classpath.plugin_jar()
    assert built() == 1
    # It is dated now.
    classpath.plugin_jar()
    assert built() == 1


def test_a_build_of_which_no_jar_comes_is_said(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(classpath, "_maven", lambda *_: None)
    with pytest.raises(LabError, match=r"no .*isotherm-lab-node-0\.10\.0\.jar came of it: look at its pom"):
        classpath.node_jar()


def test_a_project_without_a_version_is_said(project: Path):
    (project / "pom.xml").write_text("<project/>")
    with pytest.raises(LabError, match="names no version of the project"):
        classpath.plugin_jar()


def test_the_checkouts_own_pom_has_a_version():
    assert classpath._version(Path(__file__).parents[4] / "pom.xml")
