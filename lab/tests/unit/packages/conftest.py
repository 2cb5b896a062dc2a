# SPDX-License-Identifier: Apache-2.0
"""An unpacked archive and a Cassandra in front of it, both at places whose names have spaces."""

from pathlib import Path

import pytest
from packed import Layout, unpacked


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return unpacked(tmp_path / "the archive")


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout.of_archive(tmp_path / "a cassandra")
