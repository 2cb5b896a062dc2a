# SPDX-License-Identifier: Apache-2.0
"""A node's life with a stand-in process instead of Cassandra."""

import sys
from pathlib import Path

import psutil
import pytest

from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.process_identity import ProcessIdentity
from isotherm_lab.errors import LabError

#: Where no cluster ever is: another one on this machine must not answer for the stand-in.
ADDRESS = "127.77.77.77"


@pytest.fixture
def node(tmp_path: Path):
    (tmp_path / "logs").mkdir()
    node = Node(ADDRESS, tmp_path, [sys.executable, "-c", "import time; time.sleep(600)"])
    yield node
    node.kill()


def test_start_and_stop(node: Node):
    node.start()
    assert node.is_running()
    node.stop()
    assert not node.is_running()
    assert node.identity is None


def test_starting_twice_is_refused(node: Node):
    node.start()
    with pytest.raises(LabError, match="already running"):
        node.start()


def test_another_process_with_the_same_pid_is_not_the_node(node: Node):
    node.start()
    later = ProcessIdentity(node.identity.pid, node.identity.created - 100)
    stranger = Node(node.address, node.directory, node.command, later)
    assert not stranger.is_running()
    stranger.kill()
    assert node.is_running()


def test_a_later_command_can_stop_it(node: Node):
    node.start()
    found = Node(node.address, node.directory, node.command, node.identity)
    assert found.is_running()
    found.stop()
    assert not node.is_running()


def test_a_node_is_stopped_even_where_its_identity_tells_nothing(node: Node):
    node.start()
    number = node.identity.pid
    node.identity = ProcessIdentity(number, node.identity.created + 100)
    node.kill()
    assert not psutil.pid_exists(number)


def test_a_node_that_dies_while_starting_shows_the_end_of_its_output(tmp_path: Path):
    (tmp_path / "logs").mkdir()
    node = Node(ADDRESS, tmp_path, [sys.executable, "-c", "raise SystemExit('no disk today')"])
    node.start()
    with pytest.raises(LabError, match="no disk today"):
        node.wait_until_answers(timeout_s=30)
