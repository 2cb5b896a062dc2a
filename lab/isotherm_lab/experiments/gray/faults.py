# SPDX-License-Identifier: Apache-2.0
"""All faults, in the order in which a cluster suffers them. The last node is faulty, where one is."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from isotherm_lab.cluster import processor_share
from isotherm_lab.cluster.cluster import Cluster
from isotherm_lab.cluster.suspension import pausing, suspended
from isotherm_lab.experiments.bad_links import bad_links, growing_delay
from isotherm_lab.experiments.gray.fault import Fault
from isotherm_lab.progress import Listener

#: A slow disk takes so many service times.
SLOWNESS = 20
LATE_MS = 100
#: From 1 ms, by a quarter each second.
LATE_AFTER_S = 20
STOPPED_S = 8
PAUSE_S, PAUSE_EVERY_S = 0.3, 2.0
PROCESSOR_SHARE = 0.1
_LAST = 2


@contextmanager
def slow_disks(cluster: Cluster, places: Sequence[int]) -> Iterator[None]:
    """Have the disks of these nodes take longer."""
    nodes = [cluster.nodes[place] for place in places]
    cluster.storage.slow(nodes, SLOWNESS)
    yield
    # A block that does not reach its end is the end of the cluster too.
    cluster.storage.slow(nodes)


@contextmanager
def hung_disk(cluster: Cluster, place: int) -> Iterator[None]:
    """Have the disk of a node answer nothing."""
    nodes = [cluster.nodes[place]]
    cluster.storage.hang(nodes)
    yield
    cluster.storage.slow(nodes)


def starved(cluster: Cluster) -> AbstractContextManager[None]:
    """Leave the last node a part of a processor."""
    node = cluster.nodes[_LAST]
    return processor_share.processor_share(node.identity.pid, PROCESSOR_SHARE, node.address)


def restart_last(cluster: Cluster, told: Listener) -> None:
    """Restart the last node, in order: it has an empty cache when it answers again."""
    node = cluster.nodes[_LAST]
    told.note(f"{node.address} restarts")
    node.stop()
    cluster.storage.cool(node)
    node.start()
    cluster.save()
    node.wait_until_answers()


FAULTS = {
    fault.name: fault
    for fault in (
        Fault(
            "slow-disk", f"The disk of a node takes {SLOWNESS} times as long", (_LAST,),
            lambda cluster: slow_disks(cluster, (_LAST,)),
        ),
        Fault(
            "stopped", f"The process of a node is stopped for {STOPPED_S} s", (_LAST,),
            lambda cluster: suspended(cluster.nodes[_LAST]), at_most_s=STOPPED_S, own_clients_apart=True,
        ),
        Fault(
            "paused", f"A node pauses for {PAUSE_S * 1000:.0f} ms every {PAUSE_EVERY_S:.0f} s", (_LAST,),
            lambda cluster: pausing(cluster.nodes[_LAST], PAUSE_S, PAUSE_EVERY_S), own_clients_apart=True,
        ),
        Fault(
            "late", f"Messages to and from a node are {LATE_MS} ms late", (_LAST,),
            lambda cluster: bad_links(cluster, _LAST, "late", LATE_MS), own_clients_apart=True,
        ),
        Fault(
            "creeping", f"Messages to and from a node become {LATE_MS} ms late within {LATE_AFTER_S} s", (_LAST,),
            lambda cluster: growing_delay(cluster, _LAST, LATE_MS, LATE_AFTER_S), own_clients_apart=True,
        ),
        Fault(
            "starved", f"A node has {PROCESSOR_SHARE} processors", (_LAST,), starved, own_clients_apart=True,
            obstacle=processor_share.obstacle,
        ),
        Fault(
            "two-slow", f"The disks of two nodes take {SLOWNESS} times as long", (1, _LAST),
            lambda cluster: slow_disks(cluster, (1, _LAST)),
        ),
        Fault(
            "all-slow", f"The disks of all nodes take {SLOWNESS} times as long", (0, 1, _LAST),
            lambda cluster: slow_disks(cluster, (0, 1, _LAST)),
        ),
        Fault(
            "hung-disk", "The disk of a node answers nothing", (_LAST,),
            lambda cluster: hung_disk(cluster, _LAST),
        ),
        Fault(
            "cold-while-slow", f"A node comes back cold while another's disk takes {SLOWNESS} times as long",
            (1, _LAST), lambda cluster: slow_disks(cluster, (1,)), prepare=restart_last,
            prepared_in_s=20,
        ),
    )
}  # fmt: skip
