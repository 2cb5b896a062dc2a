# SPDX-License-Identifier: Apache-2.0
"""Which process is the one that was started, whatever happens to clocks and names."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from isotherm_lab.cluster.process_identity import ProcessIdentity


@pytest.fixture
def sleeping(tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen]]:
    """What starts a process of this name that does nothing."""
    started: list[subprocess.Popen] = []

    def start(name: str) -> subprocess.Popen:
        (tmp_path / name).symlink_to(shutil.which("sleep"))
        started.append(subprocess.Popen([tmp_path / name, "600"]))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is only the wall clock to tell by")
def test_it_is_the_same_process_after_the_clock_was_set(sleeping, monkeypatch: pytest.MonkeyPatch):
    identity = ProcessIdentity.of(sleeping("sleep").pid)
    told = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: told(process) + 60)
    assert identity.process().pid == identity.pid


@pytest.mark.parametrize("name", ["plain", "a ) b", ") Z 1 1", "((("])
def test_a_name_may_be_any(sleeping, name: str):
    process = sleeping(name)
    identity = ProcessIdentity.of(process.pid)
    assert identity.created == ProcessIdentity.of(process.pid).created > 0
    assert identity.process() is not None
    assert ProcessIdentity(identity.pid, identity.created - 1).process() is None


def test_one_that_ended_is_none(sleeping):
    process = sleeping("sleep")
    identity = ProcessIdentity.of(process.pid)
    process.kill()
    # It has ended, and nobody has asked how.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert identity.process() is None
    process.wait()
    assert identity.process() is None
    with pytest.raises(psutil.NoSuchProcess):
        ProcessIdentity.of(process.pid)
