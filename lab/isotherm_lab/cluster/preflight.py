# SPDX-License-Identifier: Apache-2.0
"""Checks, before anything is started, that a cluster can run here."""

import shutil
import socket
from collections.abc import Iterable
from pathlib import Path

import psutil

from isotherm_lab.cluster import jvm
from isotherm_lab.cluster.java import check_java
from isotherm_lab.errors import LabError

CQL_PORT = 9042
STORAGE_PORT = 7000
#: Resident memory of one node beside its heap.
_BESIDE_HEAP_MIB = 288
_MIB = 2**20


class TooLittleMemory(LabError):
    """How much memory is free, and how much is needed, in a sentence."""


def check(addresses: Iterable[str], heap_mib: int = jvm.HEAP_MIB) -> None:
    """Raise LabError, saying what to do, unless nodes with such heaps can be started on these addresses."""
    addresses = list(addresses)
    check_java()
    if shutil.which("mvn") is None:
        raise LabError(
            "Maven was not found; it builds the jars and fetches Cassandra: install it"
            " (Debian or Ubuntu: apt-get install maven)."
        )
    check_memory(len(addresses), heap_mib)
    for address in addresses:
        for port in (CQL_PORT, STORAGE_PORT):
            check_port(address, port)


def check_unused(directory: Path) -> None:
    """Raise LabError, naming it, when a node still works in the directory of a cluster that knows of none."""
    for process in psutil.process_iter(["name", "cwd", "cmdline"]):
        # A node also has the directory among its options; a shell that looks at its logs has not.
        named = any(str(directory) in argument for argument in process.info["cmdline"] or ())
        if named and process.info["cwd"] and Path(process.info["cwd"]).parent == directory.resolve():
            raise LabError(
                f"{process.info['cwd']} is in use by {process.info['name']} (pid {process.pid}): stop it"
                f" (`kill {process.pid}`, as `isotherm-lab down` does not know it) and try again."
            )


def check_memory(nodes: int, heap_mib: int = jvm.HEAP_MIB) -> None:
    """Raise TooLittleMemory when too little is free for that many nodes with such heaps.

    Whoever starts several clusters asks for all of their nodes at first: each cluster asks for its own ones only.
    """
    needed, free = nodes * (heap_mib + _BESIDE_HEAP_MIB) * _MIB, psutil.virtual_memory().available
    if free < needed:
        raise TooLittleMemory(
            f"{nodes} nodes need about {needed / 2**30:.1f} GiB of free memory, but only {free / 2**30:.1f} GiB is"
            " free: close something."
        )


def check_port(address: str, port: int) -> None:
    """Raise LabError, naming the holder, when address:port cannot be bound."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As Cassandra does: connections of an earlier node in TIME_WAIT do not hold the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            return
        except OSError as error:
            reason = error.strerror or str(error)
    holder = port_holder(address, port)
    if holder:
        raise LabError(f"Port {port} of {address} is in use by {holder} and try again.")
    raise LabError(
        f"{address}:{port} cannot be used: {reason}."
        " On macOS first add the address: sudo ifconfig lo0 alias " + address + "."
    )


def port_holder(address: str, port: int) -> str | None:
    """Return "name (pid 123): stop it" of the process listening there, as far as this user may see it."""
    try:
        connections = psutil.net_connections(kind="tcp")
    except psutil.AccessDenied:
        return None
    for connection in connections:
        if connection.status != psutil.CONN_LISTEN or connection.laddr.port != port:
            continue
        if connection.laddr.ip not in (address, "0.0.0.0", "::", "::ffff:" + address):
            continue
        if connection.pid is None:
            return "a process of another user: stop it"
        try:
            process = psutil.Process(connection.pid)
            return f"{process.name()} (pid {process.pid}): stop it{_command_for(process)}"
        except psutil.NoSuchProcess:
            return None
    return None


def _command_for(process: psutil.Process) -> str:
    option = f"-D{jvm.DIRECTORY}="
    try:
        directories = [Path(word.removeprefix(option)) for word in process.cmdline() if word.startswith(option)]
    except psutil.AccessDenied:
        return ""
    # .lab/NAME/node1 of a checkout, which may be another one.
    return "".join(f" (`isotherm-lab down --name {node.parent.name}` in {node.parents[2]})" for node in directories[:1])
