# SPDX-License-Identifier: Apache-2.0
"""Clean environments of other Pythons, filled by the pip of the one that makes the wheels."""

import subprocess
import sys
from pathlib import Path


def _empty(python: Path, where: Path) -> Path:
    subprocess.run([str(python), "-m", "venv", "--clear", "--without-pip", str(where)], check=True)
    return where / "bin" / "python"


def environment_of(python: Path, where: Path, *requirements: str) -> Path:
    """An environment with these requirements, none of them compiled here; return its Python."""
    made = _empty(python, where)
    install = ["--python", str(made), "install", "--quiet", "--only-binary", ":all:"]
    subprocess.run([sys.executable, "-m", "pip", *install, *requirements], check=True)
    return made


def environment_of_musl(python: Path, where: Path, *requirements: str) -> Path:
    """The same of a Python under musl, which has no TLS to fetch anything itself.

    What has no wheel for musl, as the drivers have none, is taken from the one for glibc without its libraries: it must
    have each of its modules in Python, too.
    """
    made = _empty(python, where)
    [packages] = where.glob("lib/python3.*/site-packages")
    release = packages.parent.name.removeprefix("python")
    install = ["install", "--quiet", "--only-binary", ":all:", "--target", str(packages), "--python-version", release]
    for platform in ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"):
        install += ["--platform", platform]
    subprocess.run([sys.executable, "-m", "pip", *install, *requirements], check=True)
    for tags in packages.glob("*.dist-info/WHEEL"):
        if "manylinux" in tags.read_text():
            _without_libraries(tags.with_name("RECORD"))
    return made


def _without_libraries(record: Path) -> None:
    """Remove the shared libraries among the files that a wheel has installed."""
    for line in record.read_text().splitlines():
        file = record.parent.parent / line.partition(",")[0]
        if ".so" in file.suffixes:
            file.unlink()
