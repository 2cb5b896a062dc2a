# SPDX-License-Identifier: Apache-2.0
"""The Debian package, for Cassandra's own: the jar in /usr/share/cassandra/lib, and isotherm-setup.

Another package's configuration is the operator's to change, so that installing the package changes nothing of
Cassandra; `isotherm-setup` does, which is install.sh.
"""
# The format is deb(5): an ar archive of a version, a tar of control files and a tar of the files.

import hashlib

from isotherm_packages.archive import EPOCH, Entry, gzipped, tar
from isotherm_packages.files import Project

PACKAGE = "isotherm-cassandra"


def name(project: Project) -> str:
    """Return the file's name."""
    return f"{PACKAGE}_{project.version}_all.deb"


def content(project: Project) -> bytes:
    """Return the package."""
    files = _files(project)
    sums = "".join(f"{hashlib.md5(file.content).hexdigest()}  {file.path}\n" for file in files if file.link is None)
    size = sum(len(file.content) for file in files) // 1024 + 1
    control = (project.root / "packages" / "debian" / "control").read_text()
    control = control.replace("VERSION", project.version).replace("SIZE", str(size))
    scripts = [project.entry(f"packages/debian/{script}", script, 0o755) for script in ("preinst", "prerm", "postrm")]
    control_files = [Entry("control", control.encode()), Entry("md5sums", sums.encode()), *scripts]
    return b"!<arch>\n" + b"".join(
        [
            _member("debian-binary", b"2.0\n"),
            _member("control.tar.gz", gzipped(tar(control_files, "./"))),
            _member("data.tar.gz", gzipped(tar(files, "./"))),
        ]
    )


def _files(project: Project) -> list[Entry]:
    documents = f"usr/share/doc/{PACKAGE}"
    return [
        project.jar_entry(f"usr/share/cassandra/lib/isotherm-{project.version}.jar"),
        project.entry("conf/isotherm.yaml", "usr/share/isotherm/isotherm.yaml"),
        project.entry("packages/install.sh", "usr/share/isotherm/install.sh", 0o755),
        project.entry("packages/install-changes.sh", "usr/share/isotherm/install-changes.sh"),
        Entry("usr/sbin/isotherm-setup", link="../share/isotherm/install.sh"),
        project.entry("tools/isotherm-wait-warm", "usr/bin/isotherm-wait-warm", 0o755),
        *project.entries("conf/prometheus", "usr/share/isotherm/prometheus"),
        *project.entries("conf/grafana", "usr/share/isotherm/grafana"),
        project.entry("CHANGELOG.md", f"{documents}/CHANGELOG.md"),
        Entry(
            f"{documents}/copyright", (project.root / "NOTICE").read_bytes() + (project.root / "LICENSE").read_bytes()
        ),
    ]


def _member(member: str, content: bytes) -> bytes:
    # Name, time, owner, group, mode, size; padded to an even length.
    header = f"{member:<16}{EPOCH:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
    return header + content + b"\n" * (len(content) % 2)
