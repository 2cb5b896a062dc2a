# SPDX-License-Identifier: Apache-2.0
"""The format of Debian packages: ar(5)."""


def members(content: bytes) -> dict[str, bytes]:
    """Return the members of the archive, in their order."""
    found, place = {}, len(b"!<arch>\n")
    while place < len(content):
        header = content[place : place + 60].decode()
        size = int(header[48:58])
        found[header[:16].strip()] = content[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
    return found
