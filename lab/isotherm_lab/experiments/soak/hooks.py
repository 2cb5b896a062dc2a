# SPDX-License-Identifier: Apache-2.0
"""Hooks of the plugin that throw or block, on every node: where Cassandra calls it. Without it there are none."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from isotherm_lab.cluster import control
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.orders import order_all

BLOCKED_MS = 5_000
_REPORT = "hooks.tsv"
#: When the fault is over, whatever was not called by then is told.
_CALLED_S = 60


@contextmanager
def broken_hooks(cluster: Cluster, _place: int) -> Iterator[None]:
    """Have each hook throw at every second call, until each was called: on a busy machine a schema changes seldom."""
    order_all(cluster.nodes, "hooks", "break")
    yield
    deadline = time.monotonic() + _CALLED_S
    while missed(called(cluster.nodes), block=False) and time.monotonic() < deadline:
        time.sleep(1)
    order_all(cluster.nodes, "hooks", "mend")


@contextmanager
def blocked_hooks(cluster: Cluster, _place: int) -> Iterator[None]:
    """Have each hook block once, on one of the nodes; on each node one after the other does."""
    for place, node in enumerate(cluster.nodes):
        control.order(node, "hooks", f"block {BLOCKED_MS} {place} {len(cluster.nodes)}")
    yield
    order_all(cluster.nodes, "hooks", "mend")


def called(nodes: Sequence[Node]) -> dict[str, dict[str, Any]]:
    """Return how often each hook was called during the last fault, and the kind of thread on which it has blocked."""
    found: dict[str, dict[str, Any]] = {}
    for node in nodes:
        control.order(node, "hooks", "report")
        for line in (node.directory / _REPORT).read_text().splitlines():
            hook, calls, thread = line.split("\t")
            own = found.setdefault(hook, {"calls": 0, "blocked": ""})
            own["calls"] += int(calls)
            own["blocked"] = own["blocked"] or thread
    return dict(sorted(found.items()))


def missed(hooks: Mapping[str, Mapping[str, Any]], block: bool) -> list[str]:
    """Return the hooks that the fault has not befallen. Not all that only some messages reach have to block."""
    if not block:
        return [hook for hook, own in hooks.items() if not own["calls"]]
    return [hook for hook, own in hooks.items() if not own["blocked"] and not _is_seldom(hook)]


def _is_seldom(hook: str) -> bool:
    """Whether it is that of one kind of message or answer, whose sender decides whether there are any."""
    return hook.startswith(("receiver (", "rider (", "OwnMessages."))
