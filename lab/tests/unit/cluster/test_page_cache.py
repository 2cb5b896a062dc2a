# SPDX-License-Identifier: Apache-2.0
"""Files leave the page cache when they are told to."""

import os
from pathlib import Path

import pytest
from resident_pages import resident_bytes

from isotherm_lab.cluster import page_cache

SIZE = 3 * 2**20 + 17


def test_every_file_below_a_directory_is_evicted(tmp_path: Path):
    files = [tmp_path / "a", tmp_path / "table" / "b"]
    files[1].parent.mkdir()
    for file in files:
        file.write_bytes(os.urandom(SIZE))
        assert resident_bytes(file) >= SIZE
    kept = tmp_path.parent / f"{tmp_path.name}-kept"
    kept.write_bytes(b"x" * SIZE)
    page_cache.empty(tmp_path)
    if resident_bytes(files[0]) >= SIZE and tmp_path.stat().st_dev == Path("/dev/shm").stat().st_dev:
        pytest.skip("the temporary directory lies in memory: its files are never anywhere else")
    assert [resident_bytes(file) for file in files] == [0, 0]
    assert resident_bytes(kept) >= SIZE
    assert files[0].read_bytes() and resident_bytes(files[0]) >= SIZE


def test_an_empty_file_and_an_empty_directory_are_no_trouble(tmp_path: Path):
    page_cache.empty(tmp_path)
    (tmp_path / "empty").touch()
    page_cache.empty(tmp_path)
