# SPDX-License-Identifier: Apache-2.0
"""What a release of Cassandra lacks of what the plugin's code names, as the table that docs/releases.md has of it.

    PYTHONPATH=lab/tests/integration .venv/bin/python -m lacking 6.0-alpha2

Members of a class that is missing itself are not counted.
"""

import re
import sys
from collections.abc import Iterator

from links import missing

from isotherm_lab.cluster.classpath import plugin_jar, release_class_path
from isotherm_lab.paths import project_root

_OURS = "dev/isotherm/"
#: The jar's classes in Cassandra's packages.
_GUESTS = "org/apache/cassandra/"


def rows(release: str) -> list[str]:
    """Return a row for each class, member or missing implementation: its name, and the packages that name it."""
    found: dict[str, set[str]] = {}
    for line, namers in missing(str(plugin_jar()), release_class_path(release)).items():
        found.setdefault(_short(line), set()).update(map(_package, namers))
    return [f"| `{name}` | {', '.join(sorted(found[name]))} |" for name in sorted(found)]


def documented() -> dict[str | None, list[str]]:
    """Return the rows that the document has of each release."""
    page = (project_root() / "docs" / "releases.md").read_text()
    found = re.findall(r"<!-- lacking (\S+) -->(.*?)<!-- end -->", page, re.DOTALL)
    return {release: re.findall(r"^\| `.+ \|$", table, re.MULTILINE) for release, table in found}


def _short(line: str) -> str:
    """Return the name without packages and descriptors: of methods of one name and class, one name."""
    name, _, rest = line.partition(" ")
    owner = name.rpartition("/")[2].replace("$", ".")
    implements, _, method = rest.partition("does not implement ")
    return f"{owner}: {method.partition(' ')[0]} is to be implemented" if method and not implements else owner


def _package(name: str) -> str:
    if name.startswith(_GUESTS):
        return "schema"  # they are Cassandra's statements that take limits
    package = name.removeprefix(_OURS).rpartition("/")[0]
    return package.rpartition("/")[2] or "entry"


def _table(release: str) -> Iterator[str]:
    found = rows(release)
    yield f"<!-- lacking {release} -->"
    yield ""
    yield f"| {release} lacks {len(found)} | named in |"
    yield "| --- | --- |"
    yield from found
    yield ""
    yield "<!-- end -->"


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        print("\n".join(_table(asked)))
