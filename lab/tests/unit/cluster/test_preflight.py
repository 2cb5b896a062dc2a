# SPDX-License-Identifier: Apache-2.0
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace

import psutil
import pytest

from isotherm_lab.cluster import preflight
from isotherm_lab.errors import LabError


def test_a_port_in_use_is_named_with_its_process():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(LabError) as refusal:
            preflight.check_port("127.0.0.1", port)
    assert f"Port {port} of 127.0.0.1" in str(refusal.value)
    assert f"pid {os.getpid()}): stop it and try again." in str(refusal.value)


def test_a_port_that_a_node_of_the_lab_has_is_named_with_the_command_that_stops_its_cluster():
    listen = (
        "import socket; taken = socket.create_server(('127.0.0.1', 0));"
        "print(taken.getsockname()[1], flush=True); taken.accept()"
    )
    command = [sys.executable, "-c", listen, "-Disotherm.lab.directory=/checkout/.lab/soak-paused/node3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as node:
        try:
            port = int(node.stdout.readline())
            with pytest.raises(LabError) as refusal:
                preflight.check_port("127.0.0.1", port)
        finally:
            node.kill()
    stops = f"(pid {node.pid}): stop it (`isotherm-lab down --name soak-paused` in /checkout) and try again."
    assert stops in str(refusal.value)


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """What sets how many GiB of memory are free."""
    return lambda gib: monkeypatch.setattr(
        psutil, "virtual_memory", lambda: SimpleNamespace(available=int(gib * 2**30))
    )


def test_too_little_memory_says_how_much_is_needed(free: Callable[[float], None]):
    free(1)
    with pytest.raises(LabError, match=r"^3 nodes need about 2\.3 GiB of free memory, .* 1\.0 GiB is free: close some"):
        preflight.check_memory(3)
    free(4)
    preflight.check_memory(3)
    with pytest.raises(LabError, match=r"^3 nodes need about 12\.8 GiB"):
        preflight.check_memory(3, heap_mib=4096)
