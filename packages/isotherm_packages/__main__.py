# SPDX-License-Identifier: Apache-2.0
"""Writes the packages of one jar into a folder: `python -m isotherm_packages JAR FOLDER`."""

import argparse
import re
import sys
from pathlib import Path

from isotherm_packages import debian, image, tarball
from isotherm_packages.errors import PackageError
from isotherm_packages.files import Project

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Write the packages and name them."""
    parser = argparse.ArgumentParser(prog="isotherm_packages", description=__doc__)
    parser.add_argument("jar", type=Path, help="the plugin's jar, isotherm-VERSION.jar")
    parser.add_argument("folder", type=Path, help="where the packages go")
    given = parser.parse_args()
    found = re.fullmatch(r"isotherm-(?:cassandra-)?(\d.*)\.jar", given.jar.name)
    if found is None:
        parser.error(
            f"the jar {given.jar.name} is refused; allowed: isotherm-VERSION.jar or isotherm-cassandra-VERSION.jar"
        )
    project = Project(ROOT, given.jar, found.group(1))
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        for kind in (tarball, debian, image):
            file = given.folder / kind.name(project)
            file.write_bytes(kind.content(project))
            print(f"Packed {file}")
    except PackageError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
