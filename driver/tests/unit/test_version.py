# SPDX-License-Identifier: Apache-2.0
"""The package's version is the repository's."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import isotherm_driver

POM = Path(__file__).parents[3] / "pom.xml"


@pytest.mark.skipif(not POM.exists(), reason="not in the repository")
def test_the_version_is_the_revision_of_the_root_pom() -> None:
    assert isotherm_driver.__version__ == ElementTree.parse(POM).findtext("{*}properties/{*}revision")
