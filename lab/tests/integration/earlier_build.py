# SPDX-License-Identifier: Apache-2.0
"""The archive of an earlier build of the plugin, made from this repository's history by that build's own files."""

import io
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from installed_cluster import succeeded

from isotherm_lab.paths import project_root

#: Its nodes tell each other other values than those of today: no marks on reads, fair shares without writes.
REVISION = "00ac1e69107ef3246b63738a9210bfd9759f0882"
#: Below every version of today's, as Debian and the archive's script compare them.
VERSION = "0.0.1"


def earlier_archive(folder: Path) -> Path:
    """Build it in the folder and return the unpacked archive; it takes half a minute."""
    source = folder / "source"
    with tarfile.open(fileobj=io.BytesIO(_source())) as files:
        files.extractall(source, filter="tar")
    succeeded(["mvn", "-q", "-B", "-DskipTests", "-pl", "cassandra", "-am", "package"], source, {})
    (jar,) = (source / "cassandra" / "target").glob("isotherm-*.jar")
    named = folder / f"isotherm-{VERSION}.jar"
    shutil.copy(jar, named)
    pack = [sys.executable, "-m", "isotherm_packages", str(named), str(folder / "dist")]
    succeeded(pack, source, {"PYTHONPATH": str(source / "packages")})
    (packed,) = (folder / "dist").glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="tar")
    return folder / f"isotherm-{VERSION}"


def _source() -> bytes:
    exported = subprocess.run(
        ["git", "-C", str(project_root()), "archive", "--format=tar", REVISION], capture_output=True, check=False
    )
    if exported.returncode:
        raise RuntimeError(
            f"The earlier build is revision {REVISION}, which this repository does not have: clone it with its history."
            f"\n{exported.stderr.decode()}"
        )
    return exported.stdout
