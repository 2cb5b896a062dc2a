# SPDX-License-Identifier: Apache-2.0
"""Which release of Cassandra is used."""

import pytest

from isotherm_lab.cluster import classpath, releases
from isotherm_lab.errors import LabError


def test_the_environment_chooses_the_release(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(releases.VARIABLE, raising=False)
    assert releases.chosen() is None
    monkeypatch.setenv(releases.VARIABLE, "")
    assert releases.chosen() is None
    releases.choose("5.0.4")
    assert releases.chosen() == "5.0.4"


@pytest.mark.parametrize("release", ["newest", "5", "5.0.4.1", "[5.0,5.1)", "5.0.4 ", "-Dx"])
def test_what_is_no_release_is_refused(monkeypatch: pytest.MonkeyPatch, release: str):
    monkeypatch.setenv(releases.VARIABLE, release)
    with pytest.raises(LabError, match="is no release of Cassandra"):
        releases.chosen()


def test_only_what_the_plugin_knows_runs_with_the_labs_instruments(monkeypatch: pytest.MonkeyPatch):
    candidates = ("4.0.19", "4.1-rc1", "4.1.5", "4.1.6", "4.1.10", "5.0-rc1", "5.0.0", "5.0", "5.1", "50.0.1")
    known = [release for release in candidates if releases.is_known(release)]
    assert known == ["4.1.6", "4.1.10", "5.0.0"]
    assert [releases.line_of(release) for release in known] == ["4.1", "4.1", "5.0"]
    monkeypatch.setenv(releases.VARIABLE, "4.1.5")
    with pytest.raises(LabError, match=r"run Cassandra 4.1 from 4.1.6 on, 5.0, not 4.1.5"):
        classpath.cassandra_class_path()


def test_the_release_stands_in_the_name_of_its_jar():
    assert releases.of(["/m2/guava-33.jar", "/m2/cassandra-all-6.0-alpha2.jar"]) == "6.0-alpha2"


def test_releases_are_in_order_with_what_comes_before_a_release_before_it():
    ordered = ["4.0.19", "4.1.0", "4.1.10", "5.0-alpha1", "5.0-rc1", "5.0.0", "5.0.9", "5.0.10", "6.0-alpha2"]
    assert sorted(reversed(ordered), key=releases.order) == ordered


def test_a_release_has_a_class_path_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path):
    monkeypatch.setattr(classpath, "working_directory", lambda: tmp_path)
    asked = []

    def maven(*arguments: str) -> None:
        asked.append(arguments)
        jar = tmp_path / f"cassandra-all-{arguments[-1].rpartition('=')[2]}.jar"
        jar.touch()
        next(tmp_path / each.rpartition("/")[2] for each in arguments if "outputFile" in each).write_text(str(jar))

    monkeypatch.setattr(classpath, "_maven", maven)
    monkeypatch.setenv(releases.VARIABLE, "5.0.4")
    assert releases.of(classpath.cassandra_class_path()) == "5.0.4"
    assert releases.of(classpath.release_class_path("4.1.0")) == "4.1.0"
    assert releases.of(classpath.cassandra_class_path()) == "5.0.4"
    assert len(asked) == 2
