# SPDX-License-Identifier: Apache-2.0
"""Archives whose bytes depend on their files alone, not on who packs them, when, or in which order."""

import gzip
import io
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

#: The build's time stamp, as `project.build.outputTimestamp` of the root pom: 2026-01-01, in seconds since 1970.
EPOCH = 1767225600


@dataclass(frozen=True)
class Entry:
    """A file in an archive; a symbolic link where `link` names its target."""

    path: str
    content: bytes = b""
    mode: int = 0o644
    link: str | None = None


def tar(entries: Iterable[Entry], prefix: str = "") -> bytes:
    """Return a tar archive of the files and their folders, all of root; `prefix` comes before each name."""
    buffer = io.BytesIO()
    files = {entry.path: entry for entry in entries}
    folders = {str(parent) for path in files for parent in PurePosixPath(path).parents} - {"."}
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(folders | files.keys()):
            entry = files.get(path)
            member = tarfile.TarInfo(prefix + path)
            member.mtime = EPOCH
            member.uname = member.gname = "root"
            if entry is None:
                member.type, member.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(member)
            elif entry.link is not None:
                member.type, member.mode, member.linkname = tarfile.SYMTYPE, 0o777, entry.link
                archive.addfile(member)
            else:
                member.mode, member.size = entry.mode, len(entry.content)
                archive.addfile(member, io.BytesIO(entry.content))
    return buffer.getvalue()


def gzipped(content: bytes) -> bytes:
    """Return the content compressed, without a name or a time in the header."""
    return gzip.compress(content, compresslevel=9, mtime=0)
