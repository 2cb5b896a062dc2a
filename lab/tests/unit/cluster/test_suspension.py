# SPDX-License-Identifier: Apache-2.0
"""Processes that are stopped for a while, with a stand-in that counts."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from isotherm_lab.cluster import suspension
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.suspension import pausing, suspended
from isotherm_lab.errors import LabError


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    (tmp_path / "logs").mkdir()
    node = Node("127.77.77.77", tmp_path, [sys.executable, "-c", "import time; time.sleep(600)"])
    node.start()
    yield node
    node.kill()


def state(node: Node) -> str:
    return psutil.Process(node.identity.pid).status()


def stops(node: Node) -> bool:
    """Whether the process stops within a moment: a signal takes one."""
    deadline = time.monotonic() + 10
    while state(node) != psutil.STATUS_STOPPED and time.monotonic() < deadline:
        time.sleep(0.01)
    return state(node) == psutil.STATUS_STOPPED


def test_a_process_does_not_run_and_goes_on(node: Node):
    with suspended(node):
        assert stops(node)
    assert state(node) != psutil.STATUS_STOPPED


def test_it_goes_on_whatever_ends_the_block(node: Node):
    with pytest.raises(KeyboardInterrupt), suspended(node):
        assert stops(node)
        raise KeyboardInterrupt
    assert state(node) != psutil.STATUS_STOPPED


def test_a_process_that_is_gone_needs_not_go_on(node: Node):
    with suspended(node):
        node.kill()


def test_a_node_that_does_not_run_cannot_be_stopped(node: Node):
    node.kill()
    with pytest.raises(LabError, match="does not run"), suspended(node):
        pass
    with pausing(node, 0.1, 0.2):
        pass


def test_pauses_come_again_and_end_with_the_block(node: Node):
    every_s, begun, stopped = 0.4, 0, False
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), pausing(node, 0.1, every_s):
        # A pause, or the gap between two, goes unseen while this thread has no processor: others are seen later.
        while begun < 4 and time.monotonic() < started + 60:
            before, stopped = stopped, state(node) == psutil.STATUS_STOPPED
            begun += stopped and not before
            time.sleep(0.01)
        elapsed_s = time.monotonic() - started
        raise KeyboardInterrupt
    assert state(node) != psutil.STATUS_STOPPED
    # However late any of them was, each began at least a period after the one before.
    assert begun == 4 and begun <= elapsed_s / every_s + 1


class HeldUp:
    """A clock, and an event whose waits take no time but its own; the lab is held up for 10 s in one of them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.over = threading.Event()

    def monotonic(self) -> float:
        return self.now

    def is_set(self) -> bool:
        return self.now > 30

    def wait(self, seconds: float) -> None:
        before = self.now
        self.now += max(0.0, seconds)
        if before < 7 <= self.now:
            self.now += 10
        if self.is_set():
            self.over.set()

    def set(self) -> None:
        assert self.over.wait(10)


def test_a_lab_that_was_held_up_owes_no_pauses(node: Node, monkeypatch: pytest.MonkeyPatch):
    clock, begun, lasted = HeldUp(), [], []

    @contextmanager
    def noted(_node: Node) -> Iterator[None]:
        begun.append(clock.now)
        yield
        lasted.append(round(clock.now - begun[-1], 3))

    monkeypatch.setattr(suspension, "time", clock)
    monkeypatch.setattr("isotherm_lab.beside.threading", SimpleNamespace(Event=lambda: clock, Thread=threading.Thread))
    monkeypatch.setattr(suspension, "suspended", noted)
    with pausing(node, 0.3, 2.0):
        clock.set()
    gaps = [round(later - earlier, 3) for earlier, later in pairwise(begun)]
    assert gaps == [2.0, 2.0, 2.0, 12.0, *[2.0] * (len(gaps) - 4)] and len(gaps) > 6
    assert lasted == [0.3] * len(begun)
