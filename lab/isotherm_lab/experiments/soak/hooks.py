# SPDX-License-Identifier: Apache-2.0
"""Hooks of the plugin that throw or block, on every node: where Cassandra calls it. Without it there are none.

Beside hooks that block, threads of plain Cassandra do: on each node as many of each kind as the hooks have blocked.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from isotherm_lab.cluster import control
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.node import Node
from isotherm_lab.cluster.orders import order_all

BLOCKED_MS = 5_000
_REPORT = "hooks.tsv"
_THREADS = "threads.tsv"
#: When the fault is over, whatever was not called by then is told.
_CALLED_S = 60


@contextmanager
def broken_hooks(cluster: Cluster, _place: int) -> Iterator[None]:
    """Have each hook throw at every second call, until each was called: on a busy machine a schema changes seldom."""
    order_all(cluster.nodes, "hooks", "break")
    yield
    _until_befallen(cluster.nodes, block=False)
    order_all(cluster.nodes, "hooks", "mend")


@contextmanager
def blocked_hooks(cluster: Cluster, _place: int) -> Iterator[None]:
    """Have each hook block once, on one of the nodes; on each node one after the other does."""
    for place, node in enumerate(cluster.nodes):
        control.order(node, "hooks", f"block {BLOCKED_MS} {place} {len(cluster.nodes)}")
    yield
    _until_befallen(cluster.nodes, block=True)
    order_all(cluster.nodes, "hooks", "mend")


def _until_befallen(nodes: Sequence[Node], block: bool) -> None:
    """Wait until the fault has befallen each hook: one that waits for its turn to block is called again."""
    deadline = time.monotonic() + _CALLED_S
    while missed(called(nodes), block) and time.monotonic() < deadline:
        time.sleep(1)


def blocked_threads(
    times: Sequence[Mapping[str, int]],
) -> Callable[[Cluster, int], AbstractContextManager[None]]:
    """Return a fault that blocks Cassandra's own threads: for each node so many times those of each kind."""

    @contextmanager
    def befalls(cluster: Cluster, _place: int) -> Iterator[None]:
        for node, own in zip(cluster.nodes, times, strict=True):
            kinds = ",".join(f"{kind}={number}" for kind, number in own.items())
            control.order(node, "threads", f"block {BLOCKED_MS} {kinds}".rstrip())
        yield
        order_all(cluster.nodes, "threads", "mend")

    return befalls


def blocked(nodes: Sequence[Node], by_hooks: bool) -> list[dict[str, int]]:
    """Return for each node how often threads of each kind have blocked during the last fault, by hooks or without."""
    if by_hooks:
        return [dict(Counter(thread for _, _, thread in _lines(node, "hooks", _REPORT) if thread)) for node in nodes]
    return [{kind: int(times) for kind, times in _lines(node, "threads", _THREADS)} for node in nodes]


def called(nodes: Sequence[Node]) -> dict[str, dict[str, Any]]:
    """Return how often each hook was called during the last fault, and the kind of thread on which it has blocked."""
    found: dict[str, dict[str, Any]] = {}
    for node in nodes:
        for hook, calls, thread in _lines(node, "hooks", _REPORT):
            own = found.setdefault(hook, {"calls": 0, "blocked": ""})
            own["calls"] += int(calls)
            own["blocked"] = own["blocked"] or thread
    return dict(sorted(found.items()))


def _lines(node: Node, command: str, file: str) -> list[list[str]]:
    control.order(node, command, "report")
    return [line.split("\t") for line in (node.directory / file).read_text().splitlines()]


def missed(hooks: Mapping[str, Mapping[str, Any]], block: bool) -> list[str]:
    """Return the hooks that the fault has not befallen. Not all that only some messages reach have to block."""
    if not block:
        return [hook for hook, own in hooks.items() if not own["calls"]]
    return [hook for hook, own in hooks.items() if not own["blocked"] and not _is_seldom(hook)]


def _is_seldom(hook: str) -> bool:
    """Whether it is that of one kind of message or answer, whose sender decides whether there are any."""
    return hook.startswith(("receiver (", "rider (", "OwnMessages."))
