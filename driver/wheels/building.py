# SPDX-License-Identifier: Apache-2.0
"""Makes wheels from the sdist: by zig's clang for each system, with the headers of each Python."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

from targets import Target


def sdist(driver: Path, where: Path) -> Path:
    """Make the sdist; return its file."""
    command = [sys.executable, "-m", "build", "--sdist", "--outdir", str(where), str(driver)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    [made] = where.glob("*.tar.gz")
    return made


def sources_of(made: Path, where: Path) -> Path:
    """Unpack the sdist; return the directory of its sources."""
    with tarfile.open(made) as archive:
        archive.extractall(where, filter="data")
    [sources] = (each for each in where.iterdir() if each.is_dir())
    return sources


def build_requirements(sources: Path) -> list[str]:
    return tomllib.loads((sources / "pyproject.toml").read_text())["build-system"]["requires"]


def wheel(sources: Path, python: Path, version: str, target: Target, scratch: Path) -> Path:
    """Compile for one system with the headers of one Python; return the wheel.

    What is translated into C stays beside `sources`, for the next wheel.
    """
    compiler = f"{sys.executable} -m ziglang cc -target {target.triple}"
    environment = os.environ | {
        "CC": compiler,
        "LDSHARED": f"{compiler} {target.linking}",
        "CFLAGS": "",
        "LDFLAGS": "",
        "SETUPTOOLS_EXT_SUFFIX": target.suffix(version),
        "_PYTHON_HOST_PLATFORM": f"linux-{target.processor}",
    }
    here, made = scratch / "sources", scratch / "made"
    shutil.copytree(sources, here)
    command = ["--python", str(python), "wheel", "--quiet", "--no-build-isolation", "--no-deps"]
    named = f"--config-settings=--build-option=--plat-name={target.platform}"
    subprocess.run(
        [sys.executable, "-m", "pip", *command, named, "--wheel-dir", str(made), str(here)], check=True, env=environment
    )
    for translated in here.rglob("src/**/*.c"):
        shutil.copy2(translated, sources / translated.relative_to(here))
    [found] = made.glob("*.whl")
    return found


def runs_on(made: Path, scratch: Path) -> str:
    """The oldest system that a wheel runs on, as auditwheel reads it off the symbols."""
    nowhere = scratch / "no-libraries"  # those of this system are not asked: they may be of another C library
    nowhere.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "auditwheel", "show", "--json", "--ldpaths", str(nowhere), str(made)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(shown)["overall_tag"]
