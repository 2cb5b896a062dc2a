# SPDX-License-Identifier: Apache-2.0
"""What nodes hold after a fault that they did not hold before it: heap, threads, handles, objects of the plugin.

Of a node that was started again during the fault nothing is known from before: its process is another one. What it
holds is compared with what such a node holds without the plugin.
"""

import time
from collections.abc import Mapping
from typing import Any

from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.orders import order_all
from isotherm_lab.cluster.process_identity import ProcessIdentity
from isotherm_lab.data.slow_table import KEYSPACE
from isotherm_lab.measure import holdings
from isotherm_lab.measure.holdings import Holdings

_MIB = 2**20
#: From the end of all load: answers that nobody awaits have come or timed out, connections of clients are gone.
SETTLED_S = 6
#: Thousands of tables are flushed one after the other.
_PATIENCE_S = 300

#: By so much more may grow with the plugin than without. Heap: nodes that suffer the same differ by up to 10 MiB in
#: what they grow by, most after tables were dropped; a leak of 4 KiB at each of 4,000 operations is as much. Threads:
#: those of Netty's loops, each of which begins when first needed. Handles, for each peer: the connections
#: that a node keeps with it (three kinds, both ways), each of which opens when first needed.
MORE: Mapping[str, int] = {"heap_bytes": 16 * _MIB, "threads": 4}
HANDLES_A_PEER = 6
#: The plugin's own threads are there from the start. Its objects are what it knows of tables, nodes and partitions:
#: some hundreds come and go with what is busy, and one left behind at each read or write would be thousands.
OWN: Mapping[str, int] = {"plugin_threads": 0, "plugin_objects": 1_000}
#: Of many tables it learns what each node tells of each as time goes by. So many objects it holds of a table when it
#: has, counted in a histogram; and of all else, of which a node with hardly a table has 8,000.
A_TABLE = 62
OF_ALL_ELSE = 10_000
#: So many classes are told of the node whose heap grew most: those of most bytes.
_CLASSES = 10
_CALLED = {
    "heap_bytes": "bytes of live heap",
    "threads": "threads",
    "handles": "open handles",
    "plugin_threads": "threads of the plugin",
    "plugin_objects": "objects of the plugin",
}


class LeftBehind:
    """Looks at the nodes of a cluster when they are at rest: before the first fault, and after each."""

    def __init__(self, cluster: Cluster):
        self._cluster = cluster
        self._seen: dict[str, tuple[ProcessIdentity, Holdings]] = {}
        self._by_class: dict[str, dict[str, int]] = {}

    def look(self) -> dict[str, Any]:
        """Return what each node that has lived since the last look held then and holds now, and the most it grew.

        Of the others, what they hold now. Of the heap that grew most, the classes that grew.
        """
        before, self._seen = self._seen, self._look()
        classes_before, self._by_class = self._by_class, self._classes()
        lived = {
            address: (before[address][1], now)
            for address, (process, now) in self._seen.items()
            if address in before and before[address][0] == process
        }
        started = {address: now for address, (_, now) in self._seen.items() if address not in lived}
        told = account(lived, started if before else {})
        if lived:
            most = max(lived, key=lambda address: (lived[address][1] - lived[address][0]).heap_bytes)
            told["classes_grew"] = most_grown(classes_before[most], self._by_class[most])
        return told

    def _classes(self) -> dict[str, dict[str, int]]:
        return {node.address: holdings.bytes_by_class(node.directory) for node in self._cluster.nodes}

    def _look(self) -> dict[str, tuple[ProcessIdentity, Holdings]]:
        # Memtables hold what clients wrote, also of batches and transactions, which differs with their speed.
        for keyspace in (KEYSPACE, "system"):
            order_all(self._cluster.nodes, "flush", keyspace, _PATIENCE_S)
        time.sleep(SETTLED_S)
        order_all(self._cluster.nodes, "holdings", "", _PATIENCE_S)
        return {
            node.address: (node.identity, holdings.read(node.directory, node.identity.pid))
            for node in self._cluster.nodes
        }


def account(lived: Mapping[str, tuple[Holdings, Holdings]], started: Mapping[str, Holdings]) -> dict[str, Any]:
    """Return it for the summary; `grew` is empty where no node lived through the fault."""
    grew = [after - before for before, after in lived.values()]
    return {
        "grew": holdings.most(grew).as_json() if grew else {},
        "holdings": {
            address: {"before": before.as_json(), "after": after.as_json()}
            for address, (before, after) in lived.items()
        },
        "started_again": {address: now.as_json() for address, now in started.items()},
    }


def most_grown(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return by how many bytes the classes grew that grew most, those first."""
    grew = {name: size - before.get(name, 0) for name, size in after.items() if size > before.get(name, 0)}
    return {name: grew[name] for name in sorted(grew, key=lambda name: -grew[name])[:_CLASSES]}


def leaks(
    stock: Mapping[str, int], plugin: Mapping[str, int], peers: int, classes_grew: Mapping[str, int] | None = None
) -> list[str]:
    """Return a sentence for whatever grew with the plugin by more than it may; nothing where no node lived.

    That of the heap has the classes that grew most with the plugin.
    """
    sentences = []
    bounds = MORE | {"handles": HANDLES_A_PEER * peers}
    for name, most in bounds.items() if stock and plugin else ():
        # What shrank without the plugin was too much before, and takes nothing from what may grow with it.
        if plugin[name] > max(0, stock[name]) + most:
            sentences.append(
                f"a node has {plugin[name]:,} {_CALLED[name]} more than before the fault with the plugin,"
                f" {stock[name]:,} without"
            )
            if name == "heap_bytes" and classes_grew:
                sentences[-1] += f"; most are {', '.join(f'{size:,} of {name}' for name, size in classes_grew.items())}"
    return sentences


def held_more(stock: Mapping[str, Mapping[str, int]], plugin: Mapping[str, Mapping[str, int]], peers: int) -> list[str]:
    """Return a sentence for whatever nodes that were started again hold more of with the plugin than they may.

    Its own threads are not among what it may hold more of: they are there from the start.
    """
    sentences = []
    bounds = MORE | {"handles": HANDLES_A_PEER * peers}
    for name, most in bounds.items() if stock and plugin else ():
        own, beside = (
            max(each[name] - (each["plugin_threads"] if name == "threads" else 0) for each in nodes.values())
            for nodes in (plugin, stock)
        )
        if own > beside + most:
            sentences.append(
                f"a node that was started again has {own:,} {_CALLED[name]} with the plugin, {beside:,} without"
            )
    return sentences


def own_leaks(own: Mapping[str, Any]) -> list[str]:
    """Return a sentence for what of the plugin's own is more than may be, in the account of a fault under it.

    Where there are many tables its objects are bounded by these, and else by what they grew by.
    """
    tables = own["tables"]
    sentences = [
        f"a node has {own['grew'][name]:,} {_CALLED[name]} more than before the fault"
        for name, most in OWN.items()
        if own["grew"] and own["grew"][name] > most and not (tables and name == "plugin_objects")
    ]
    held = max((each["after"]["plugin_objects"] for each in own["holdings"].values()), default=0)
    if tables and held > A_TABLE * tables + OF_ALL_ELSE:
        sentences.append(f"a node has {held:,} {_CALLED['plugin_objects']} with {tables:,} tables")
    return sentences
