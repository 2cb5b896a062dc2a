# SPDX-License-Identifier: Apache-2.0
"""A volume on this machine's kernel, where it can be made: what is read keeps, takes as long as ordered, and ends."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from isotherm_lab.cluster.slow_volume import volume
from isotherm_lab.cluster.slow_volume.volume import Volume, VolumeUnusable

BLOCK = 16384
CONTENT = os.urandom(40 * BLOCK)


@pytest.fixture(scope="module", autouse=True)
def possible(tmp_path_factory: pytest.TempPathFactory) -> None:
    try:
        volume.attempt(tmp_path_factory.mktemp("attempt"))
    except VolumeUnusable as lack:
        pytest.skip(str(lack))


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Volume]:
    (tmp_path / "mounted").mkdir()
    made = Volume(tmp_path, tmp_path / "mounted", parallel=1)
    made.make()
    file = tmp_path / "mounted" / "file"
    file.write_bytes(CONTENT)
    evict(file)
    yield made
    made.close()
    assert not file.exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mounted"]


def evict(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def blocks_in() -> int:
    return resource.getrusage(resource.RUSAGE_THREAD).ru_inblock


def waits_for(file: Path, process: psutil.Process) -> bool:
    """Whether the process has the file open and waits for a disk."""
    return str(file) in {each.path for each in process.open_files()} and process.status() == psutil.STATUS_DISK_SLEEP


def test_a_cold_read_is_a_read_of_the_disk_that_takes_its_time_and_a_warm_one_is_none(made: Volume, tmp_path: Path):
    file = tmp_path / "mounted" / "file"
    with file.open("rb") as opened:
        os.pread(opened.fileno(), 1, 39 * BLOCK)  # where the file lies on the disk is read too, once
        made.serve(30_000)
        for cold in (True, False):
            waits = []
            for number in (3, 17, 8):
                before, begun = blocks_in(), time.monotonic()
                assert os.pread(opened.fileno(), BLOCK, number * BLOCK) == CONTENT[number * BLOCK :][:BLOCK]
                took = time.monotonic() - begun
                # In units of 512 bytes: this block and nothing ahead of it.
                assert blocks_in() - before == (BLOCK // 512 if cold else 0)
                waits.append(took)
            # On a busy machine one of them may come late.
            assert (0.03 <= min(waits) < 0.3) if cold else min(waits) < 0.03


def test_a_hung_disk_answers_nothing_until_it_is_told_to(made: Volume, tmp_path: Path):
    file = tmp_path / "mounted" / "file"
    with file.open("rb") as opened:
        os.pread(opened.fileno(), 1, 39 * BLOCK)
    made.hang()
    reader = subprocess.Popen(["cksum", file], stdout=subprocess.PIPE)
    process, deadline = psutil.Process(reader.pid), time.monotonic() + 10
    while not waits_for(file, process):
        assert reader.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.5)
    assert waits_for(file, process)
    made.serve(0)
    assert reader.communicate(timeout=10)[0].split()[1] == str(len(CONTENT)).encode()


def test_a_killed_owner_leaves_no_mount(tmp_path: Path):
    (tmp_path / "mounted").mkdir()
    owner = subprocess.Popen(
        [sys.executable, "-c",
         "import sys, time; from pathlib import Path; from isotherm_lab.cluster.slow_volume.volume import Volume\n"
         f"Volume(Path({str(tmp_path)!r}), Path({str(tmp_path / 'mounted')!r}), 1).make(); print(1, flush=True)\n"
         "time.sleep(600)"],
        stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert owner.stdout.readline() == b"1\n"
        assert str(tmp_path) in Path("/proc/mounts").read_text()
    finally:
        owner.kill()
        owner.wait()
    deadline = time.monotonic() + 10
    while str(tmp_path) in Path("/proc/mounts").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
