# SPDX-License-Identifier: Apache-2.0
"""A node of another release of Cassandra, with the plugin installed as on a known one, or without it."""

import shutil
from pathlib import Path

import yaml
from shared_cluster import FIRST_ADDRESS, PLUGIN
from waiting import until

from isotherm_lab.cluster import configuration, jvm
from isotherm_lab.cluster.classpath import plugin_jar, release_class_path
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.variants import variant
from isotherm_lab.paths import working_directory

_DAEMON = "org.apache.cassandra.service.CassandraDaemon"
_SHARED_NODES = 3
#: Keys of cassandra.yaml with units, which 4.0 does not have; it takes its own defaults.
_NOT_IN_40 = "commitlog_segment_size commitlog_total_space memtable_heap_space memtable_offheap_space".split()


class OtherRelease:
    """The node; it is stopped, and its directory removed, at the end of its `with`."""

    def __init__(self, name: str, node: Node):
        self.name = name
        self.node = node

    @classmethod
    def installed(cls, name: str, at: int = 0, nodes: int = 1, variant_name: str = PLUGIN) -> "OtherRelease":
        """Return one of the nodes of a cluster, ready to start."""
        directory = working_directory() / "clusters" / f"release-{name}-{at + 1}"
        shutil.rmtree(directory, ignore_errors=True)
        addresses = [f"127.0.0.{FIRST_ADDRESS + _SHARED_NODES + index}" for index in range(nodes)]
        chosen = variant(variant_name)
        configuration.write(directory, address=addresses[at], seeds=addresses, cluster_name=name, variant=chosen)
        if name.startswith("4.0."):
            _as_40_has_it(directory / "conf" / "cassandra.yaml")
        plugin = [str(plugin_jar())] if chosen.plugin else []
        command = jvm.command(
            directory=directory,
            class_path=[*plugin, *release_class_path(name)],
            properties=configuration.jvm_properties(chosen),
        )
        return cls(name, Node(addresses[at], directory, [*command[:-1], _DAEMON]))

    @property
    def address(self) -> str:
        return self.node.address

    @property
    def directory(self) -> Path:
        return self.node.directory

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.node.start()
        self.node.wait_until_answers()

    def start_fails(self) -> bool:
        """Start it; whether it gives up."""
        self.node.start()
        return until(lambda: not self.node.is_running(), "the node gives up", timeout_s=60)

    def unknown_options(self) -> list[str]:
        """Return the options of offline tools that came later: sstableverify of 4.0 need not be forced."""
        return ["-f"] if self.name.startswith("4.0.") else []

    def log(self) -> str:
        """Return what it has logged."""
        return (self.directory / "logs" / "system.log").read_text()

    def __enter__(self) -> "OtherRelease":
        return self

    def __exit__(self, *exception: object) -> None:
        self.node.stop()
        shutil.rmtree(self.directory, ignore_errors=True)


def _as_40_has_it(file: Path) -> None:
    settings = yaml.safe_load(file.read_text())
    for key in _NOT_IN_40:
        del settings[key]
    del settings["commitlog_sync_period"]
    settings["commitlog_sync_period_in_ms"] = 10000
    file.write_text(yaml.safe_dump(settings, sort_keys=False))
