# SPDX-License-Identifier: Apache-2.0
"""What the operator's page and the one on limits say to type, taken from the pages themselves."""

import re

from isotherm_lab.paths import project_root

_PAGE = "docs/operating.md"
_LIMITS = "docs/partition-limits.md"


def page() -> str:
    """Return the page."""
    return (project_root() / _PAGE).read_text()


def section(text: str, heading: str) -> str:
    """Return the section below this heading; KeyError when there is none."""
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise KeyError(heading)
    return found[1]


def commands(text: str) -> list[str]:
    """Return the commands of the archive that the text says to type, in their order: `./…`, indented or quoted."""
    return re.findall(r"(?:^ +|`)(\./[^`\n]+)(?:$|`)", text, re.MULTILINE)


def alters(table: str) -> tuple[str, str]:
    """Return what the page on limits says to type for a limit that rejects nothing, and for none; for this table."""
    lines = (project_root() / _LIMITS).read_text().splitlines()
    typed = [line.strip().rstrip(";").replace("ks.t", table) for line in lines if line.startswith("    ALTER TABLE")]
    (dry,) = [statement for statement in typed if "'dry_run': 'true'" in statement]
    (none,) = [statement for statement in typed if statement.endswith("{}")]
    return dry, none


def switches(text: str) -> list[str]:
    """Return the statements that switch off what the text names: the one it writes out, for each `….enabled`."""
    (statement,) = re.findall(r"`(UPDATE [^`;]+);`", text)
    (written,) = re.findall(r"'(\w+\.enabled)'", statement)
    return [statement.replace(written, name) for name in re.findall(r"[`'](\w+\.enabled)['`]", text)]
