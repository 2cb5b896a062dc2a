# SPDX-License-Identifier: Apache-2.0
"""Debian's packages and their sources, of which nothing is installed: apt keeps its state in a directory of its own."""

import re
import shutil
import subprocess
from pathlib import Path

KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def _mirror() -> str | None:
    """The address from which the system's own apt takes Debian's packages; None where it takes none."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=False
    )
    return next((address for address in listed.stdout.split() if address.rstrip("/").endswith("/debian")), None)


def _configured(apt: Path, lines: list[str]) -> Path:
    """Write a configuration of apt that lies in one directory; return its file."""
    for each in ("lists/partial", "archives/partial"):
        (apt / each).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    (apt / "sources.list").write_text("".join(f"{line}\n" for line in lines))
    configuration = apt / "apt.conf"
    configuration.write_text(
        f'Dir::State "{apt}";\nDir::State::Lists "{apt}/lists";\nDir::State::status "{apt}/status";\n'
        f'Dir::Cache "{apt}";\nDir::Cache::archives "{apt}/archives";\n'
        f'Dir::Etc::sourcelist "{apt}/sources.list";\nDir::Etc::sourceparts "{apt}/none";\nAPT::Architecture "amd64";\n'
    )
    return configuration


def _numbers(release: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", release)]


class Apt:
    """Fetches into one directory: packages of Debian unstable, and sources of some of its releases."""

    def __init__(self, where: Path, *releases_of_sources: str):
        self.where = where
        mirror = _mirror() if shutil.which("apt-get") and KEYS.exists() else None
        if mirror is None:
            raise LookupError("no apt that takes Debian's packages is here")
        kinds = [("deb", "unstable"), *(("deb-src", release) for release in releases_of_sources)]
        lines = [f"{kind} [signed-by={KEYS}] {mirror} {release} main" for kind, release in kinds]
        self._environment = {"APT_CONFIG": str(_configured(where, lines)), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        self._do("update")

    def _do(self, *command: str) -> None:
        done = subprocess.run(
            ["apt-get", "-qq", *command], cwd=self.where, env=self._environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise LookupError(done.stderr.strip())

    def unpack(self, to: Path, *packages: str) -> None:
        """Unpack packages, and those that they depend on; raise LookupError where Debian has one of them not."""
        self._do("install", "--download-only", "--yes", "--no-install-recommends", *packages)
        for package in sorted((self.where / "archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "--extract", str(package), str(to)], check=True)

    def unpack_alone(self, to: Path, *packages: str) -> None:
        """Unpack packages without what they depend on."""
        self._do("download", *packages)
        for package in packages:
            [archive] = self.where.glob(f"{package}_*.deb")
            subprocess.run(["dpkg-deb", "--extract", str(archive), str(to)], check=True)

    def original_sources(self, package: str) -> Path:
        """The archive of what a package is made from, without Debian's changes; LookupError where Debian has none.

        The newest release that the mirror has: lists know of others before, and after, the mirror has them.
        """
        command = ["apt-cache", "showsrc", "--only-source", package]
        shown = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False).stdout
        releases = [line.partition(" ")[2] for line in shown.splitlines() if line.startswith("Version: ")]
        problem = LookupError(f"Debian has no sources of {package}")
        for release in sorted(releases, key=_numbers, reverse=True):
            try:
                self._do("source", "--download-only", f"{package}={release}")
            except LookupError as missing:
                problem = missing
                continue
            upstream = release.rpartition("-")[0].rpartition(":")[2]
            [archive] = self.where.glob(f"{package}_{upstream}.orig.tar.?z")
            return archive
        raise problem
