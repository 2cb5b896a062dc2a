# SPDX-License-Identifier: Apache-2.0
"""Writes a file in one step: whoever reads it meanwhile sees all of it, or all of the one before."""

from pathlib import Path


def write(path: Path, content: str) -> None:
    """Have `path` contain this; its folder must exist. Whatever fails leaves the file as it was."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
