# SPDX-License-Identifier: Apache-2.0
"""Builds the project's jars and Cassandra's class path with Maven, only when they are out of date."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from isotherm_lab.cluster import releases
from isotherm_lab.errors import LabError
from isotherm_lab.paths import project_root, working_directory

#: Later releases are there as jars only.
_LAST_ARCHIVE = "4.0-alpha2"
_EXPORTER = "1.0.1"
#: Until 5.0 the pom of Cassandra does not name the driver that its sstableloader needs; the version is that of 5.0.0.
_LOADER_DRIVER = "3.11.5"
#: The project's version in the root pom.
_REVISION = re.compile(r"<revision>([^<]+)</revision>")


def cassandra_class_path() -> list[str]:
    """Return the jars of Cassandra and what it needs; asked of Maven again when a pom changes.

    Of the release that is chosen; LabError when the lab's instruments are not for it.
    """
    release = releases.chosen()
    if release is None:
        return _class_path("cassandra.classpath", "compile")
    if not releases.is_known(release):
        raise LabError(f"The lab's nodes run Cassandra {releases.KNOWN}, not {release}: choose another release.")
    return release_class_path(release)


def release_class_path(release: str) -> list[str]:
    """Return the jars of a release of Cassandra, whatever its line, and what that needs."""
    return _class_path(f"cassandra-{release}.classpath", "compile", f"-Dcassandra.version={release}")


def newest_release(within: str) -> str:
    """Return the newest release on Maven Central within one of Maven's ranges, such as [4.1,4.2-alpha)."""
    return releases.of(_asked("newest.classpath", "compile", f"-Dcassandra.version={within}"))


def test_class_path() -> list[str]:
    """Return the jars of Cassandra and of what tests need, the Java driver among them."""
    return _class_path("test.classpath", "test")


def scripts_archive() -> Path:
    """Return the last archive with Cassandra's own scripts that Maven Central has."""
    return _fetched("org.apache.cassandra", "apache-cassandra", _LAST_ARCHIVE, "tar.gz", "bin")


def exporter_jar() -> Path:
    """Return Prometheus' JMX exporter, a Java agent."""
    return _fetched("io.prometheus.jmx", "jmx_prometheus_javaagent", _EXPORTER, "jar")


def loader_class_path(class_path: list[str]) -> list[str]:
    """Return a class path of Cassandra with the driver that its sstableloader needs."""
    if any(Path(jar).name.startswith("cassandra-driver-core-") for jar in class_path):
        return class_path
    driver = _fetched("com.datastax.cassandra", "cassandra-driver-core", _LOADER_DRIVER, "jar", "shaded")
    return [*class_path, str(driver)]


def _fetched(group: str, artifact: str, version: str, kind: str, *classifier: str) -> Path:
    stored = working_directory() / f"{'-'.join([artifact, version, *classifier])}.{kind}"
    if not stored.is_file():
        stored.parent.mkdir(parents=True, exist_ok=True)
        coordinates = ":".join([group, artifact, version, kind, *classifier])
        _maven("-N", "dependency:copy", f"-Dartifact={coordinates}", f"-DoutputDirectory={stored.parent}")
    return stored


def _class_path(name: str, scope: str, *more: str) -> list[str]:
    root = project_root()
    stored = working_directory() / name
    poms = [root / "pom.xml", root / "lab" / "node" / "pom.xml"]
    if is_older(stored, poms) or not all(Path(jar).is_file() for jar in stored.read_text().split(":")):
        return _asked(name, scope, *more)
    return stored.read_text().strip().split(":")


def _asked(name: str, scope: str, *more: str) -> list[str]:
    stored = working_directory() / name
    stored.parent.mkdir(parents=True, exist_ok=True)
    _maven("-pl", "lab/node", "dependency:build-classpath", f"-DincludeScope={scope}",
           f"-Dmdep.outputFile={stored}", *more)  # fmt: skip
    return stored.read_text().strip().split(":")


def node_jar() -> Path:
    """Return the jar with the lab's instruments, built from the sources as they are now."""
    return _built("lab/node", "isotherm-lab-node", ["lab/node"])


def plugin_jar() -> Path:
    """Return the Isotherm plugin jar, built from the sources as they are now."""
    return _built("cassandra", "isotherm", ["cassandra", "core"])


def is_older(file: Path, sources: Iterable[Path]) -> bool:
    """Whether `file` is missing or older than any of the sources."""
    if not file.is_file():
        return True
    made = file.stat().st_mtime
    return any(source.stat().st_mtime > made for source in sources)


def _built(module: str, name: str, modules: list[str]) -> Path:
    root = project_root()
    sources = [root / "pom.xml"]
    for folder in modules:
        main = root / folder / "src" / "main"
        # Folders, too: of a file that was deleted nothing else tells.
        sources += [root / folder / "pom.xml", main, *main.rglob("*")]
    # Others are of versions that the project had before.
    jar = root / module / "target" / f"{name}-{_version(root / 'pom.xml')}.jar"
    if is_older(jar, sources):
        _maven("-DskipTests", "-pl", module, "-am", "package")
        if not jar.is_file():
            raise LabError(f"Maven built {module}, but no {jar} came of it: look at its pom.")
        jar.touch()  # Maven leaves an unchanged jar untouched; it is up to date all the same.
    return jar


def _version(pom: Path) -> str:
    found = _REVISION.search(pom.read_text())
    if not found:
        raise LabError(f"{pom} names no version of the project: it has to have <revision> among its properties.")
    return found.group(1)


def _maven(*arguments: str) -> None:
    command = ["mvn", "-q", "-B", *arguments]
    done = subprocess.run(command, cwd=project_root(), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise LabError(f"`{' '.join(command)}` failed:\n" + "\n".join(lines[-15:]))
