# SPDX-License-Identifier: Apache-2.0
"""What nodes hold after each fault that they did not hold before it, as a document has it."""

from collections.abc import Iterable, Mapping
from typing import Any

from isotherm_lab.experiments.soak import plan
from isotherm_lab.experiments.soak.faults import FAULTS
from isotherm_lab.experiments.soak.scenes import ONE_DATACENTER
from isotherm_lab.measure import documented_table

#: Of the table's place in a document.
NAME = f"{plan.NAME}: what is left behind"
_HEADING = ("fault", "Cassandra: grew at most", "Isotherm: grew at most")
_STARTED_AGAIN = "each node was started again"
_MIB = 2**20


def document(accounts: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Return the table in Markdown, and what the nodes of the usual cluster held in all; accounts by fault, variant."""
    rows = [
        [FAULTS[name].title, *(_grew(variants[each], each == plan.PLUGIN) for each in plan.VARIANTS)]
        for name, variants in accounts.items()
    ]
    table = documented_table.markdown(_HEADING, rows, names=len(_HEADING))
    held = {
        variant: _held(variants[variant] for name, variants in accounts.items() if FAULTS[name].scene is ONE_DATACENTER)
        for variant in plan.VARIANTS
    }
    if not all(held.values()):
        return table
    return f"{table}\nNodes held {held[plan.STOCK]} without the plugin,\nand {held[plan.PLUGIN]} with it.\n"


def _grew(own: Mapping[str, Any], of_plugin: bool) -> str:
    grew, nodes = own["grew"], len(FAULTS[own["name"]].scene.datacenters)
    if not grew:
        return _STARTED_AGAIN
    figures = [f"heap {grew['heap_bytes'] / _MIB:.1f} MiB", f"threads {grew['threads']}", f"handles {grew['handles']}"]
    figures += [f"objects {grew['plugin_objects']:,}"] if of_plugin else []
    lived = len(own["holdings"])
    figures += [f"on {lived} of {nodes} nodes"] if lived < nodes else []
    return ", ".join(figures).replace("-", "\N{MINUS SIGN}")


def _held(accounts: Iterable[Mapping[str, Any]]) -> str:
    """Return the least and the most of what nodes held at the end of a fault; nothing where no node is known."""
    after = [node["after"] for own in accounts for node in own["holdings"].values()]
    if not after:
        return ""
    heap, threads, handles = ([each[name] for each in after] for name in ("heap_bytes", "threads", "handles"))
    return (
        f"{min(heap) / _MIB:.0f} to {max(heap) / _MIB:.0f} MiB of live heap, {min(threads)} to {max(threads)} threads"
        f" and {min(handles)} to {max(handles)} handles"
    )
