# SPDX-License-Identifier: Apache-2.0
"""What `make package` builds; and what it stages for a Maven repository has all that one asks for but signatures."""

import hashlib
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from isotherm_packages import image

from isotherm_lab.paths import project_root

ARTIFACTS = ("isotherm-core", "isotherm-cassandra")
URL = "https://example.org/isotherm"
#: What the build does not need, most of it large.
NOT_BUILT = (".*", "target", "build", "results", "dist", "*.egg-info", "*.so", "__pycache__")
_POM = "{http://maven.apache.org/POM/4.0.0}"


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What came of make package, in a copy: the cluster of other tests runs with the jar of the tree."""
    copy = tmp_path_factory.mktemp("copy") / "isotherm"
    shutil.copytree(project_root(), copy, ignore=shutil.ignore_patterns(*NOT_BUILT))
    # The environment that packs the driver is the tree's, as it is.
    environment = project_root() / ".venv-scylla"
    ran = subprocess.run(
        ["make", "package", f"URL={URL}", f"SCYLLA={environment}", "-o", environment / "driver"],
        cwd=copy, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return copy


@pytest.fixture(scope="module")
def staged(packaged: Path) -> Path:
    return packaged / "dist" / "maven"


def files(staged: Path, artifact: str) -> dict[str, Path]:
    """Return the files of an artifact by what follows its name and version."""
    (version,) = (folder for folder in (staged / "dev" / "isotherm" / artifact).iterdir() if folder.is_dir())
    return {file.name.removeprefix(f"{artifact}-{version.name}"): file for file in version.iterdir()}


def test_every_package_is_there_and_nothing_else(packaged: Path) -> None:
    (version,) = (folder.name for folder in (packaged / "dist/maven/dev/isotherm/isotherm-cassandra").glob("[0-9]*"))
    assert {path.name for path in (packaged / "dist").iterdir()} == {
        "maven", f"isotherm-{version}.jar", f"isotherm-{version}.tar.gz",
        f"isotherm-cassandra_{version}_all.deb", f"isotherm-{version}-linux-{image.architecture()}.oci.tar",
    }  # fmt: skip
    wheel, source = sorted(path.name for path in (packaged / "driver" / "dist").iterdir())
    assert source == f"isotherm_driver-{version}.tar.gz"
    assert re.fullmatch(rf"isotherm_driver-{re.escape(version)}-cp\d+-cp\d+-linux_\w+\.whl", wheel)


@pytest.mark.parametrize("artifact", ARTIFACTS)
def test_jars_sources_javadoc_and_check_sums_are_there(staged: Path, artifact: str) -> None:
    found = files(staged, artifact)
    for kind in (".jar", "-sources.jar", "-javadoc.jar", ".pom"):
        assert found[f"{kind}.sha1"].read_text() == hashlib.sha1(found[kind].read_bytes()).hexdigest()
    classes = {name for name in zipfile.ZipFile(found[".jar"]).namelist() if name.startswith("dev/isotherm/")}
    sources = set(zipfile.ZipFile(found["-sources.jar"]).namelist())
    assert any(name.endswith(".class") for name in classes)
    assert any(name.endswith(".java") for name in sources)
    assert "index.html" in zipfile.ZipFile(found["-javadoc.jar"]).namelist()


def test_the_plugin_is_one_jar(staged: Path) -> None:
    inside = zipfile.ZipFile(files(staged, "isotherm-cassandra")[".jar"]).namelist()
    assert {"dev/isotherm/IsothermSnitch.class", "dev/isotherm/heat/Shares.class"} <= set(inside)
    strange = [
        name for name in inside if name.endswith(".class") and not re.match(r"(dev/isotherm|org/apache/c)", name)
    ]
    assert strange == []


@pytest.mark.parametrize("artifact", ARTIFACTS)
def test_a_pom_stands_alone_and_says_what_a_repository_asks_for(staged: Path, artifact: str) -> None:
    pom = files(staged, artifact)[".pom"].read_text()
    assert "${" not in pom
    root = ElementTree.fromstring(pom)
    assert root.find(f"{_POM}parent") is None
    for name in ("name", "description", "url", "licenses/{0}license/{0}name", "developers/{0}developer/{0}name",
                 "scm/{0}url"):  # fmt: skip
        assert (root.findtext(_POM + name.format(_POM)) or "").strip(), name
    assert root.findtext(f"{_POM}url") == root.findtext(f"{_POM}scm/{_POM}url") == URL
    scopes = {
        dependency.findtext(f"{_POM}artifactId"): dependency.findtext(f"{_POM}scope")
        for dependency in root.iter(f"{_POM}dependency")
    }
    assert scopes == ({} if artifact == "isotherm-core" else {"isotherm-core": "compile", "cassandra-all": "provided"})
