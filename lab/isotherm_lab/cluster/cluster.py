# SPDX-License-Identifier: Apache-2.0
"""A cluster of nodes on 127.0.0.1 and up, remembered in a file so that later commands find it."""

import json
import re
import shutil
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from isotherm_lab import atomic_file
from isotherm_lab.cluster import classpath, configuration, control, jvm, left_mounts, preflight
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.process_identity import ProcessIdentity
from isotherm_lab.cluster.sole_use import SoleUse
from isotherm_lab.cluster.storage import CompressorStorage, Storage
from isotherm_lab.cluster.variants import Variant
from isotherm_lab.errors import LabError
from isotherm_lab.paths import working_directory

_STATE = "cluster.json"
#: A folder of its own in .lab/, and none above it or elsewhere: it is deleted when a cluster of the name begins anew.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")

#: For how long a killing that is interrupted goes on nevertheless.
_ENDING_SECONDS = 30


def addresses(count: int, first: int = 1) -> list[str]:
    """Return the loopback addresses of that many nodes, from 127.0.0.`first` up."""
    if not 1 <= count <= 9:
        raise LabError(f"A cluster has 1 to 9 nodes, not {count}.")
    if not 1 <= first <= 255 - count:
        raise LabError(f"{count} nodes fit behind 127.0.0.1 to 127.0.0.{255 - count}, not behind 127.0.0.{first}.")
    return [f"127.0.0.{index}" for index in range(first, first + count)]


def _directory(name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise LabError(
            f"{name!r} is no name of a cluster: write one of letters, digits, `.`, `_` and `-` that begins with a"
            " letter or a digit."
        )
    directory = working_directory() / name
    if directory.is_file():
        raise LabError(f"{directory} is a file of the lab's own: choose another name.")
    return directory


def _octet(address: str) -> int:
    return int(address.rpartition(".")[2])


class Cluster:
    """Nodes that were started together; use it in a `with` to have them stopped whatever happens."""

    def __init__(
        self,
        name: str,
        directory: Path,
        nodes: list[Node],
        variants: list[str],
        equip: Callable[[str, Variant, bool], list[str]] | None = None,
        storage: Storage | None = None,
        heap_mib: int = jvm.HEAP_MIB,
        sole_use: SoleUse | None = None,
    ):
        self.name = name
        self.directory = directory
        self.nodes = nodes
        self.variants = variants
        self._equip = equip
        self.storage = storage or CompressorStorage()
        self._heap_mib = heap_mib
        self._sole_use = sole_use

    @classmethod
    def create(
        cls,
        name: str,
        variants: list[Variant],
        *,
        heat_source: str = "auto",
        overrides: dict[str, Any] | None = None,
        isotherm_overrides: dict[str, Any] | None = None,
        queue: dict[str, Any] | None = None,
        full_compilation: bool = False,
        keyspace: str = "lab",
        first_address: int = 1,
        storage: Storage | None = None,
        tls: ssl.SSLContext | None = None,
        properties: Mapping[str, str] | None = None,
        datacenters: Sequence[str] = (),
        heap_mib: int = jvm.HEAP_MIB,
    ) -> "Cluster":
        """Prepare a fresh cluster, one variant per node (mixed ones are allowed); nothing is started yet.

        No other cluster of the name is created until end(), or until this process has ended.
        `tls` is for nodes that `overrides` have refuse clients without it; `properties` are more -D options;
        `datacenters` are those of the nodes, in their order, if they are not all in one.
        """
        chosen = storage or CompressorStorage()
        directory = _directory(name)
        with SoleUse(directory) as sole_use:
            previous = cls.find(name)
            if previous is not None and previous.is_running():
                raise LabError(f"The cluster {name!r} is running: `isotherm-lab down --name {name}` stops it.")
            where = addresses(len(variants), first_address)
            datacenter = dict(zip(where, datacenters, strict=True)) if datacenters else {}
            preflight.check(where, heap_mib)
            # A deletion that was interrupted has left data, and maybe no word of the cluster.
            if directory.exists():
                # Only now: of nodes that run although nothing is known of them it would be what they work on.
                preflight.check_unused(directory)
                left_mounts.unmount(directory.glob("node*"))
                shutil.rmtree(directory)
            class_path = _private_jars(directory / "jars", any(variant.plugin for variant in variants))

            def home(address: str) -> Path:
                return directory / f"node{_octet(address) - first_address + 1}"

            def equip(address: str, variant: Variant, joins: bool = False) -> list[str]:
                if variant.plugin and not class_path["plugin"]:
                    raise LabError(
                        f"The cluster {name!r} was prepared without the plugin: create it with a node that has it."
                    )
                others = [each for each in where if each != address]
                joining = configuration.bootstrapping(others) if joins else {}
                configuration.write(
                    home(address), address=address, seeds=[*others, address] if joins else where, cluster_name=name,
                    variant=variant, heat_source=heat_source, overrides=(overrides or {}) | joining,
                    isotherm_overrides=isotherm_overrides, queue=queue,
                    datacenter=datacenter.get(address, configuration.DATACENTER),
                )  # fmt: skip
                return jvm.command(
                    directory=home(address),
                    class_path=class_path["plugin"] * variant.plugin + class_path["node"],
                    properties={
                        **configuration.jvm_properties(variant),
                        **({"cassandra.replace_address_first_boot": address} if joins and address in where else {}),
                        **(properties or {}),
                        "isotherm.lab.keyspace": keyspace,
                        **chosen.properties(address, home(address)),
                    },
                    heap_mib=heap_mib,
                    full_compilation=full_compilation,
                    more_flags=chosen.flags,
                )

            pairs = list(zip(where, variants, strict=True))
            nodes = [
                Node(address, home(address), equip(address, variant), storage=chosen, tls=tls)
                for address, variant in pairs
            ]
            return cls(
                name, directory, nodes, [variant.name for variant in variants], equip, chosen, heap_mib, sole_use
            )  # fmt: skip

    @classmethod
    def find(cls, name: str) -> "Cluster | None":
        """Return the cluster of that name as an earlier command left it, or None."""
        directory = _directory(name)
        try:
            state = json.loads((directory / _STATE).read_text())
        except FileNotFoundError:
            return None
        nodes = []
        for entry in state["nodes"]:
            identity = ProcessIdentity(entry["pid"], entry["created"]) if entry["pid"] else None
            nodes.append(Node(entry["address"], Path(entry["directory"]), entry["command"], identity))
        return cls(name, directory, nodes, state["variants"])

    def save(self) -> None:
        """Remember the nodes and their processes for later commands."""
        entries = [
            {
                "address": node.address,
                "directory": str(node.directory),
                "pid": node.identity.pid if node.identity else None,
                "created": node.identity.created if node.identity else None,
                "command": node.command,
            }
            for node in self.nodes
        ]
        state = {"name": self.name, "variants": self.variants, "nodes": entries}
        atomic_file.write(self.directory / _STATE, json.dumps(state, indent=1))

    def start(self, told: Callable[[str], None] = lambda sentence: None) -> None:
        """Start every node and wait until all answer CQL and see each other; stop them all if one does not."""
        try:
            for node in self.nodes:
                node.start()
                self.save()
            for node in self.nodes:
                node.wait_until_answers()
                told(f"{node.address} answers CQL")
            # A node answers clients before it has heard of all its peers, and would call them unavailable.
            self.order("peers", str(len(self.nodes)))
        except BaseException:
            self.end()
            raise

    def change_variant(self, index: int, variant: Variant) -> None:
        """Give a stopped node another variant's configuration; its data stays. Only for the creator of the cluster."""
        node = self._stopped(index)
        node.command = self._prepared(node.address, variant)
        self.variants[index] = variant.name

    def replace(self, index: int, variant: Variant) -> None:
        """Put an empty node in the place of a stopped one, whose data is lost; started, it takes it from the others."""
        node = self._stopped(index)
        shutil.rmtree(node.directory)
        node.command = self._prepared(node.address, variant, joins=True)
        self.variants[index] = variant.name

    def add(self, variant: Variant) -> Node:
        """Return one more node, empty, at the next address; started, it takes its part of the data from the others."""
        address = addresses(len(self.nodes) + 1, _octet(self.nodes[0].address))[-1]
        preflight.check([address], self._heap_mib)
        directory = self.directory / f"node{len(self.nodes) + 1}"
        shutil.rmtree(directory, ignore_errors=True)
        node = Node(address, directory, self._prepared(address, variant, joins=True), storage=self.storage)
        self.nodes.append(node)
        self.variants.append(variant.name)
        return node

    def remove_last(self) -> None:
        """End and forget the last node; it has left the ring."""
        self.nodes.pop().kill()
        self.variants.pop()
        self.save()

    def _stopped(self, index: int) -> Node:
        node = self.nodes[index]
        if node.is_running():
            raise LabError(f"Node {node.address} is running: stop it before its configuration changes.")
        return node

    def _prepared(self, address: str, variant: Variant, joins: bool = False) -> list[str]:
        if self._equip is None:
            raise LabError(f"How the nodes of {self.name!r} were prepared is not remembered: create the cluster anew.")
        return self._equip(address, variant, joins)

    def stop(self) -> None:
        """Stop every node in order, all at once."""
        self._each(Node.signal_stop, Node.stop)

    def kill(self) -> None:
        """End every node at once; for a cluster whose data nobody needs."""
        self._each(Node.kill)

    def end(self) -> None:
        """Kill every node, and go on with it when Ctrl-C comes again meanwhile; that is raised when all are ended.

        After half a minute it is raised at once.
        """
        deadline = time.monotonic() + _ENDING_SECONDS
        interrupted = None
        try:
            while True:
                try:
                    self.kill()
                    break
                except KeyboardInterrupt as again:
                    if time.monotonic() > deadline:
                        raise
                    interrupted = again
        finally:
            if self._sole_use:
                self._sole_use.release()
        if interrupted:
            raise interrupted

    def _each(self, *steps: Callable[[Node], None]) -> None:
        failures: list[Exception] = []

        def attempt(action: Callable[[], None]) -> None:
            # One that cannot be stopped keeps none of the others.
            try:
                action()
            except Exception as failure:
                failures.append(failure)

        try:
            for step in steps:
                for node in self.nodes:
                    attempt(partial(step, node))
            attempt(self.storage.close)
        finally:
            self.save()
        if failures:
            raise failures[0]

    def is_running(self) -> bool:
        """Whether any of its processes runs."""
        return any(node.is_running() for node in self.nodes)

    def order(self, command: str, argument: str = "") -> None:
        """Give the same order to every running node, one after the other."""
        for node in self.nodes:
            if node.is_running():
                control.order(node, command, argument)

    def contact_points(self) -> list[str]:
        """Return the addresses of all nodes."""
        return [node.address for node in self.nodes]

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        # Whatever ended the block, no node outlives it: an experiment's data is not worth an orderly stop.
        self.end()


def _private_jars(folder: Path, with_plugin: bool) -> dict[str, list[str]]:
    """Copy the project's jars beside the cluster, so that a build meanwhile does not pull them from under it."""
    folder.mkdir(parents=True, exist_ok=True)

    def copied(jar: Path) -> str:
        return str(shutil.copy2(jar, folder / jar.name))

    node = [copied(classpath.node_jar()), *classpath.cassandra_class_path()]
    plugin = [copied(classpath.plugin_jar())] if with_plugin else []
    return {"node": node, "plugin": plugin}
