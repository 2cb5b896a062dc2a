# SPDX-License-Identifier: Apache-2.0
"""A Python that the system has not got, from the packages of Debian unstable, unpacked into a directory of its own.

Nothing is installed: apt keeps its state in that directory, and the interpreter is told where its libraries are.
"""

import shutil
import subprocess
from pathlib import Path

KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
LIBRARIES = "usr/lib/x86_64-linux-gnu"


def _mirror() -> str | None:
    """The address from which the system's own apt takes Debian's packages; None where it takes none."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=False
    )
    return next((address for address in listed.stdout.split() if address.rstrip("/").endswith("/debian")), None)


def _configured(apt: Path, mirror: str) -> Path:
    """Write a configuration of apt that lies in one directory; return its file."""
    for each in ("lists/partial", "archives/partial"):
        (apt / each).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    (apt / "sources.list").write_text(f"deb [signed-by={KEYS}] {mirror} unstable main\n")
    configuration = apt / "apt.conf"
    configuration.write_text(
        f'Dir::State "{apt}";\nDir::State::Lists "{apt}/lists";\nDir::State::status "{apt}/status";\n'
        f'Dir::Cache "{apt}";\nDir::Cache::archives "{apt}/archives";\n'
        f'Dir::Etc::sourcelist "{apt}/sources.list";\nDir::Etc::sourceparts "{apt}/none";\nAPT::Architecture "amd64";\n'
    )
    return configuration


def unpacked(version: str, where: Path, patchelf: Path) -> Path | None:
    """The interpreter of a version as `3.14`; None where apt, or Debian, has it not."""
    mirror = _mirror() if shutil.which("apt-get") and KEYS.exists() else None
    if mirror is None:
        return None
    environment = {"APT_CONFIG": str(_configured(where / "apt", mirror)), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    packages = [f"python{version}", f"python{version}-dev", "libc6"]
    for command in (["update"], ["install", "--download-only", "--yes", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", "-qq", *command], env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            print(f"Debian's packages have no Python {version}: {done.stderr.strip()}")
            return None
    for package in sorted((where / "apt" / "archives").glob("*.deb")):
        subprocess.run(["dpkg-deb", "--extract", str(package), str(where)], check=True)
    # Debian's pyconfig.h leads to one for each processor. What they say differently concerns no extension module.
    headers = where / "usr" / "include"
    shutil.copy(headers / "x86_64-linux-gnu" / f"python{version}" / "pyconfig.h", headers / f"python{version}")
    interpreter, libraries = where / "usr" / "bin" / f"python{version}", where / LIBRARIES
    loader = libraries / "ld-linux-x86-64.so.2"
    subprocess.run(
        [str(patchelf), "--set-interpreter", str(loader), "--force-rpath", "--set-rpath", str(libraries),
         str(interpreter)], check=True,
    )  # fmt: skip
    return interpreter
