# SPDX-License-Identifier: Apache-2.0
"""The package's version is the repository's."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import isotherm_driver

POM = Path(__file__).parents[3] / "pom.xml"


@pytest.mark.skipif(not POM.exists(), reason="not in the repository")
def test_the_version_is_the_revision_of_the_root_pom() -> None:
    assert isotherm_driver.__version__ == ElementTree.parse(POM).findtext("{*}properties/{*}revision")


def test_where_nothing_is_noted_of_the_package_its_version_is_unknown() -> None:
    program = """
from importlib import metadata

noted = metadata.version

def version(name):
    if name == "isotherm-driver":
        raise metadata.PackageNotFoundError(name)
    return noted(name)

metadata.version = version
import isotherm_driver
print(isotherm_driver.__version__)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["unknown"], done.stderr
