# SPDX-License-Identifier: Apache-2.0
"""What the operator's page says to type, taken from the page itself."""

import re

from isotherm_lab.paths import project_root

_PAGE = "docs/operating.md"


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


def alters(table: str) -> tuple[str, str, str]:
    """Return the statements for a limit in a dry run, for one that is on, and for none, written for this table."""
    dry, on = re.findall(r"^    (ALTER TABLE [^;]+);$", section(page(), "Limit a table's partitions"), re.MULTILINE)
    (none,) = re.findall(r"`(ALTER TABLE [^`;]+);`", section(page(), "Remove"))
    return tuple(statement.replace("ks.t", table) for statement in (dry, on, none))


def revocation() -> tuple[str, str]:
    """Return the statements that list what was granted, and take it back of a table and a role to be formatted."""
    text = section(page(), "Remove")
    (listing,) = re.findall(r"`(LIST [^`;]+);`", text)
    (revoke,) = re.findall(r"^    (REVOKE [^;]+);$", text, re.MULTILINE)
    return listing, re.sub(r"(ON isotherm\.)\w+ FROM \w+$", r"\1{table} FROM {role}", revoke)


def switches(text: str) -> list[str]:
    """Return the statements that switch off what the text names: the one it writes out, for each `….enabled`."""
    (statement,) = re.findall(r"`(UPDATE [^`;]+);`", text)
    (written,) = re.findall(r"'(\w+\.enabled)'", statement)
    # The page says the first one twice, once for many nodes.
    names = dict.fromkeys(re.findall(r"[`'](\w+\.enabled)['`]", text))
    return [statement.replace(written, name) for name in names]
